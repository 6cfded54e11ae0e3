/** How the content of an element is described: a digest of the schemas, in the order they demand. */

export type Content =
  /** Elements only, step by step. */
  | {
      readonly kind: 'elements';
      readonly steps: readonly Step[];
      readonly attributes?: Attributes;
      /** Whether `VendorOption` may stand anywhere in it: no standard says where, and the field puts it everywhere. */
      readonly vendorOptions?: true;
      /** What elements hold that hold something else elsewhere, by their local name. */
      readonly inside?: Readonly<Record<string, Content>>;
    }
  /** Text only. */
  | { readonly kind: 'text'; readonly attributes?: Attributes }
  /** Text with the same in other languages: `Localized` elements. */
  | { readonly kind: 'translated' }
  /** Text and expressions, mixed: a value that may depend on the feature. */
  | { readonly kind: 'parameter'; readonly attributes?: Attributes }
  /** Text, or one of these empty elements instead. */
  | { readonly kind: 'keyword'; readonly names: readonly string[] }
  /** Anything: looked at by whoever reads it. */
  | { readonly kind: 'any'; readonly attributes?: Attributes };

export type ElementContent = Extract<Content, { kind: 'elements' }>;

/** Some elements that stand in any order among each other, but behind the step before and ahead of the step after. */
export interface Step {
  readonly names: readonly string[];
  /** Which of the names may come more than once, or all of them; none by default. */
  readonly repeated?: true | readonly string[];
  /** Whether only one of the names may come at all. */
  readonly choice?: true;
  /** Which of the names are read where they stand, but not recommended: words of another version or of one program. */
  readonly tolerated?: readonly string[];
  /** Which of the names must come. */
  readonly required?: readonly string[];
  /** Of the names together, at least so many; 0 by default. */
  readonly atLeast?: number;
  /** Of the names together, at most so many; without end by default. */
  readonly atMost?: number;
  /** What to call the names in a sentence where they are many, such as `an expression`. */
  readonly called?: string;
}

/** The attributes without a namespace that an element may have; `required` ones must be there. */
export type Attributes = Readonly<Record<string, 'required' | 'optional'>>;

/** What each element holds, by its local name. */
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

/** The same content, with attributes and with vendor options anywhere. */
export function extensible(attributes: Attributes, ...steps: readonly Step[]): Content {
  return { kind: 'elements', steps, attributes, vendorOptions: true };
}

/** One element that may be left out. */
export function maybe(...names: readonly string[]): Step {
  return { names, choice: true };
}

/** One element, out of those named. */
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

/** The same step, and these read as well where they stand, each at most once. */
export function tolerate(step: Step, ...names: readonly string[]): Step {
  return { ...step, names: [...step.names, ...names], tolerated: names };
}
