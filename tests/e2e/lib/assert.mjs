// Checks that say what was seen.
export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(seen, expected, what) {
  if (seen !== expected) throw new Error(`${what}: expected ${JSON.stringify(expected)}, saw ${JSON.stringify(seen)}`);
}

export function matches(seen, pattern, what) {
  if (!pattern.test(seen)) throw new Error(`${what}: expected ${pattern}, saw ${JSON.stringify(String(seen).slice(0, 400))}`);
}
