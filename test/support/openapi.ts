/** An OpenAPI document with all references resolved, and path parameters merged into each operation. */

export function withoutReferences<T>(text: string): T {
  const document: unknown = JSON.parse(text);
  const at = (pointer: string) =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Record<string, unknown>;
    const own = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, follow(each)]));
    return typeof $ref === 'string' ? { ...(follow(at($ref)) as object), ...own } : own;
  };
  const { paths = {}, ...rest } = follow(document) as { paths?: Record<string, PathItem> };
  return { ...rest, paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, whole(item)])) } as T;
}

type Operation = { readonly parameters?: readonly unknown[] };
type PathItem = { readonly parameters?: readonly unknown[] } & Readonly<Record<string, Operation>>;

function whole({ parameters = [], ...operations }: PathItem): Readonly<Record<string, Operation>> {
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [
      method,
      { ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] },
    ]),
  );
}

/** The documented statuses of an operation, including ranges and the default. */
export function listDocumentedStatuses(
  responses: Readonly<Record<string, { readonly description: string }>>,
): readonly number[] {
  const statuses = Object.entries(responses).flatMap(([status, { description }]) =>
    status === 'default' || status.endsWith('XX')
      ? [...description.matchAll(/\b([45]\d\d):/g)].map(([, each]) => Number(each))
      : [Number(status)],
  );
  return [...new Set(statuses)].sort((a, b) => a - b);
}
