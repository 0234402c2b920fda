import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** What every page needs: one file compresses better than the twenty that sharing alone would make. */
const shell = [
  /node_modules[\\/](react|react-dom|react-router|scheduler|cookie-es|@remix-run)[\\/]/,
  /[\\/]app[\\/](ui|features[\\/](layout|errors))[\\/][^\\/]+$/,
  // What only members need stays out, and the clients of the API with it.
  /[\\/]app[\\/]session[\\/][^\\/]+$/,
  /preload-helper|rolldown.runtime/,
]

/** What members' and admins' pages share. Each file more would also be named in the list of routes that visitors load. */
const forms = /[\\/]app[\\/](ui[\\/]forms|features[\\/]forms)[\\/]/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: 'es2022', assetsInlineLimit: 1024 },
  // The server would load all of its drawings, for the few that pages draw.
  ssr: { noExternal: ['lucide'] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'shell', test: (id) => shell.some((part) => part.test(id)) },
                { name: 'forms', test: forms, minShareCount: 3 },
                // The rules that most pages share; those of few pages stay with them.
                { name: 'rules', test: /[\\/]domain[\\/][^\\/]+$/, minShareCount: 6 },
              ],
            },
          },
        },
      },
    },
  },
})
