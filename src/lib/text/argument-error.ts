/** Explains errors of `parseArgs`, whose later sentences are advice for programmers. */

/** Returns a sentence without its full stop. */
export function explainArgumentError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+).*' argument (?:is ambiguous|missing)/.exec(message) ?? [];
  if (option !== undefined) return `The value of ${option} is missing. If it begins with a dash, write ${option}=VALUE`;
  const [first = ''] = message.split(/\.\s/);
  return first.replace(/\.$/, '');
}
