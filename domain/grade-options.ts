/** The choices of the grade filter (section 9); apart from the form's rules, which no visitor downloads. */
export const gradeOptions: readonly number[] = [6, 7, 8, 9, 10, 11, 12]
