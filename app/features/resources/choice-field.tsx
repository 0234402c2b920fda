interface ChoiceFieldProps {
  name: string
  legend: string
  chosen: string | number | null
  options: readonly { value: string; label: string }[]
  /** For short labels: all of one width, four in a row. */
  isEven?: boolean
}

/** One of a few: radio buttons in the shape of pills, the first of which chooses nothing. */
export function ChoiceField({ name, legend, chosen, options, isEven = false }: ChoiceFieldProps) {
  return (
    <fieldset className="mt-5">
      <legend className="font-semibold">{legend}</legend>
      <div className="choices mt-2" data-even={isEven || undefined}>
        {[{ value: '', label: 'Any' }, ...options].map(({ value, label }) => (
          <label key={value} className="choice">
            <input type="radio" name={name} value={value} defaultChecked={value === String(chosen ?? '')} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
