/** The plan of a diff or an apply, and its text form. */

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
  readonly changes?: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
}

const signs: Readonly<Record<Step['action'], string>> = { create: '+', update: '~', delete: '-' };

export function formatPlan({ summary, steps }: Plan): string {
  const lines = steps.flatMap(({ action, kind, path, changes = [] }) => [
    `${signs[action]} ${kind} ${path}`,
    ...changes.map(({ field, before, after }) => `    ${field}: ${formatValue(before)} -> ${formatValue(after)}`),
  ]);
  const total = `${summary.create} to create, ${summary.update} to change, ${summary.delete} to delete`;
  return `${[...lines, total].join('\n')}\n`;
}

function formatValue(value: unknown): string {
  return value === undefined ? '(none)' : JSON.stringify(value);
}
