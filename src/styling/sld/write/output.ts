/** The XML to be written, as a tree. */

export interface OutputElement {
  /** With its prefix. */
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly OutputNode[];
  /** Whether white space between its children would be content. */
  readonly isMixed: boolean;
}

/** Text to be escaped, or to stand in CDATA. */
export type OutputNode = OutputElement | string | { readonly cdata: string };

type Attributes = Readonly<Record<string, string | undefined>>;

/** An element of elements; what is undefined is left out. */
export function createElement(
  name: string,
  children: readonly (OutputNode | undefined)[] = [],
  attributes: Attributes = {},
): OutputElement {
  return {
    name,
    attributes: Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined),
    children: children.filter((child) => child !== undefined),
    isMixed: false,
  };
}

/** An element in which every character counts. */
export function createMixedElement(
  name: string,
  children: readonly OutputNode[],
  attributes: Attributes = {},
): OutputElement {
  return { ...createElement(name, children, attributes), isMixed: true };
}

/** An element that holds text. */
export function createTextElement(name: string, text: string, attributes: Attributes = {}): OutputElement {
  return createMixedElement(name, [text], attributes);
}

/** The same for a text that may be missing: then there is no element. */
export function createOptionalText(
  name: string,
  text: string | number | boolean | undefined,
): OutputElement | undefined {
  return text === undefined ? undefined : createTextElement(name, String(text));
}
