/** Describes the content of elements: a digest of the schemas, in the order they require. */

export type Content =
  /** Elements only, step by step. */
  | {
      readonly kind: 'elements';
      readonly steps: readonly Step[];
      readonly attributes?: Attributes;
      /**
       * Whether `VendorOption` is allowed at any position: no standard defines it, and documents use it everywhere.
       */
      readonly vendorOptions?: true;
      /** The content of children that differs from their general content, by local name. */
      readonly inside?: Readonly<Record<string, Content>>;
    }
  /** Text only. */
  | { readonly kind: 'text'; readonly attributes?: Attributes }
  /** Text with translations in `Localized` elements. */
  | { readonly kind: 'translated' }
  /** Mixed text and expressions: a value that may depend on the feature. */
  | { readonly kind: 'parameter'; readonly attributes?: Attributes }
  /** Text, or one of these empty elements. */
  | { readonly kind: 'keyword'; readonly names: readonly string[] }
  /** Any content; the reader checks it. */
  | { readonly kind: 'any'; readonly attributes?: Attributes };

export type ElementContent = Extract<Content, { kind: 'elements' }>;

/** Elements in any order among each other, but after the previous step and before the next one. */
export interface Step {
  readonly names: readonly string[];
  /** The names that may be repeated, or true for all; none by default. */
  readonly repeated?: true | readonly string[];
  /** Whether only one of the names is allowed. */
  readonly choice?: true;
  /** The names that are accepted but not recommended: from another version or a particular program. */
  readonly tolerated?: readonly string[];
  /** The required names. */
  readonly required?: readonly string[];
  /** The minimum number of elements; 0 by default. */
  readonly atLeast?: number;
  /** The maximum number of elements; unlimited by default. */
  readonly atMost?: number;
  /** A collective name for messages, such as `an expression`. */
  readonly called?: string;
}

/** The allowed attributes without a namespace. */
export type Attributes = Readonly<Record<string, 'required' | 'optional'>>;

/** The content of each element, by local name. */
export type Grammar = ReadonlyMap<string, Content>;

export const text: Content = { kind: 'text' };
export const translated: Content = { kind: 'translated' };
export const parameter: Content = { kind: 'parameter' };

export function elements(...steps: readonly Step[]): Content {
  return { kind: 'elements', steps };
}

export function elementsWith(attributes: Attributes, ...steps: readonly Step[]): Content {
  return { kind: 'elements', steps, attributes };
}

/** Content with attributes, and with vendor options at any position. */
export function extensible(attributes: Attributes, ...steps: readonly Step[]): Content {
  return { kind: 'elements', steps, attributes, vendorOptions: true };
}

/** An optional element. */
export function maybe(...names: readonly string[]): Step {
  return { names, choice: true };
}

/** Exactly one of the named elements. */
export function one(...names: readonly string[]): Step {
  return { names, choice: true, atLeast: 1 };
}

/** Any number of elements. */
export function many(...names: readonly string[]): Step {
  return { names, repeated: true };
}

/** At least one element. */
export function some(...names: readonly string[]): Step {
  return { names, repeated: true, atLeast: 1 };
}

/** Each of these at most once, in any order. */
export function anyOrder(...names: readonly string[]): Step {
  return { names };
}

/** Accepts these elements too, each at most once. */
export function tolerate(step: Step, ...names: readonly string[]): Step {
  return { ...step, names: [...step.names, ...names], tolerated: names };
}
