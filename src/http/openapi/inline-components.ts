/** Inlines components with a single reference. */

type Json = Readonly<Record<string, unknown>>;

/** Schemas keep their names, because generated clients use them as types. */
const kinds = ['parameters', 'requestBodies', 'responses'] as const;

export function inlineSingleUse(document: Json & { readonly components: Json }): Json {
  const counts = new Map<string, number>();
  visitReferences(document, (reference) => counts.set(reference, (counts.get(reference) ?? 0) + 1));
  const single = new Map<string, unknown>();
  const components: Record<string, unknown> = { ...document.components };
  for (const kind of kinds) {
    const shared: Record<string, unknown> = {};
    for (const [name, component] of Object.entries((components[kind] ?? {}) as Json)) {
      const reference = `#/components/${kind}/${name}`;
      if (counts.get(reference) === 1) single.set(reference, component);
      else shared[name] = component;
    }
    components[kind] = shared;
  }
  return inlineReferences({ ...document, components }, single) as Json;
}

function visitReferences(value: unknown, visit: (reference: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '$ref' && typeof inner === 'string') visit(inner);
    else visitReferences(inner, visit);
  }
}

function inlineReferences(value: unknown, single: ReadonlyMap<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inlineReferences(each, single));
  const { $ref: reference } = value as Json;
  const inPlace = typeof reference === 'string' ? single.get(reference) : undefined;
  if (inPlace !== undefined) return inlineReferences(inPlace, single);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inlineReferences(inner, single)]));
}
