/** Formats a problem for the log without values of the query or the body, which can be secret. */
import type { Problem } from '../../lib/problems/problem.ts';

const MASKED_VALUE = "'…'";

/** Shows values that occur in the path, which is logged anyway, field names, and names of failing objects. */
export function formatLogMessage(problem: Problem, rawPath: string): string {
  const shown = new Set([...listPathNames(rawPath), problem.details.field ?? '', ...listServerNames(problem)]);
  const { message } = problem;
  // If a value contains quotes, its end is ambiguous: mask everything between the outer quotes.
  if (collectTexts(problem.details).some((text) => !shown.has(text) && /['"]/.test(text))) {
    return message.replace(/['"].*['"]/s, MASKED_VALUE);
  }
  return message
    .replaceAll(/"[^"]*"/g, MASKED_VALUE)
    .replaceAll(/(?<![\p{L}\p{N}])'([^']*)'/gu, (quoted, text: string) => (shown.has(text) ? quoted : MASKED_VALUE));
}

/** A failure of the server names its own objects, which operators must know. */
function listServerNames({ status, details }: Problem): readonly string[] {
  if (status < 500) return [];
  return [details['name'], details['store'], details['layer']].filter((name) => typeof name === 'string');
}

function listPathNames(rawPath: string): readonly string[] {
  const path = decodePath(rawPath);
  const segments = path.split('/').filter((segment) => segment !== '');
  return [path, ...segments, ...segments.map((segment) => segment.replace(/\.\w+$/, ''))];
}

function decodePath(rawPath: string): string {
  try {
    return decodeURIComponent(rawPath);
  } catch {
    return rawPath;
  }
}

/** Returns all strings in the details, recursively. */
function collectTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}
