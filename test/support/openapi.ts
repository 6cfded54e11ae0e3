/** An OpenAPI document with every reference in it followed, as most readers see it. */

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
  return follow(document) as T;
}
