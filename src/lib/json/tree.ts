/** A JSON document as a tree: numbers keep their digits, and names such as `__proto__` are ordinary members. */
export type JsonTree =
  | { readonly kind: 'string'; readonly text: string }
  /** `text` is the number as written, such as `1.10` or `1e400`. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'array'; readonly items: readonly JsonTree[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonTree> };
