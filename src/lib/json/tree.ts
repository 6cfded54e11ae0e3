/** A JSON document as it was written: numbers keep their digits, and no member name has a meaning of its own. */
export type JsonTree =
  | { readonly kind: 'string'; readonly text: string }
  /** `text` is the number as written, such as `1.10` or `1e400`. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'array'; readonly items: readonly JsonTree[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonTree> };
