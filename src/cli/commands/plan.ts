/** The plan of a diff or an apply, and its text form. */
import { formatUnifiedDiff } from './unified-diff.ts';

export interface Plan {
  readonly hash: string;
  readonly change: number | null;
  readonly summary: { readonly create: number; readonly update: number; readonly delete: number };
  readonly steps: readonly Step[];
}

interface Step {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: string;
  readonly path: string;
  readonly changes?: readonly FieldChange[];
}

interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const signs: Readonly<Record<Step['action'], string>> = { create: '+', update: '~', delete: '-' };

export function formatPlan({ summary, steps }: Plan): string {
  const lines = steps.flatMap(({ action, kind, path, changes = [] }) => [
    `${signs[action]} ${kind} ${path}`,
    ...changes.flatMap(formatChange).map((line) => `    ${line}`),
  ]);
  const total = `${summary.create} to create, ${summary.update} to change, ${summary.delete} to delete`;
  return `${[...lines, total].join('\n')}\n`;
}

function formatChange({ field, before, after }: FieldChange): readonly string[] {
  return typeof before === 'string' && typeof after === 'string' && (isDocument(before) || isDocument(after))
    ? [`${field}:`, ...formatUnifiedDiff(before, after).map((line) => `  ${line}`)]
    : [`${field}: ${formatValue(before)} -> ${formatValue(after)}`];
}

/** Whether a text has several lines, such as a style, or would have them if it were formatted. */
function isDocument(text: string): boolean {
  return text.includes('\n') || (text.length > MAX_VALUE_CHARACTERS && text.includes('><'));
}

/** Longer values, such as images in base64, are shortened. */
const MAX_VALUE_CHARACTERS = 400;

function formatValue(value: unknown): string {
  const text = value === undefined ? '(none)' : JSON.stringify(value);
  return text.length > MAX_VALUE_CHARACTERS
    ? `${text.slice(0, MAX_VALUE_CHARACTERS)}… (${text.length} characters)`
    : text;
}
