/** What a client was told, fit for the log: without what it sent in its query or body, which may be secret. */
import type { Problem } from '../../lib/problems/problem.ts';

const MASKED_VALUE = "'…'";

/** The path is in the log anyway, and so may be what stands in it; the same goes for the names of fields. */
export function formatLogMessage(problem: Problem, rawPath: string): string {
  const shown = new Set([...listPathNames(rawPath), problem.details.field ?? '']);
  const { message } = problem;
  // Where a value holds quotes, or is quoted already, nobody can tell where it ends.
  if (collectTexts(problem.details).some((text) => !shown.has(text) && /['"]/.test(text))) {
    return message.replace(/['"].*['"]/s, MASKED_VALUE);
  }
  return message
    .replaceAll(/"[^"]*"/g, MASKED_VALUE)
    .replaceAll(/(?<![\p{L}\p{N}])'([^']*)'/gu, (quoted, text: string) => (shown.has(text) ? quoted : MASKED_VALUE));
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

/** Every text in the details, however deep. */
function collectTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}
