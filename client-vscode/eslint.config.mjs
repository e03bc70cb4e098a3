import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    // The last two are generated.
    ignores: ["dist/", "node_modules/", ".test/", "server/", "src/protocol.ts", "src/ends.ts"],
  },
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      eqeqeq: "error",
      "no-console": "error",
      "@typescript-eslint/no-confusing-void-expression": "off", // arrow functions as handlers read better
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "max-lines-per-function": "off", // a table of cases is data
      "@typescript-eslint/no-floating-promises": "off", // node:test's test() returns a promise nobody awaits
    },
  },
);
