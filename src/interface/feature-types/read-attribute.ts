/** Reads what a client says of one attribute; whatever cannot be read is complained about by its name. */
import type { AttributeDraft, AttributeType, ValueRange } from '../../catalog/feature-types/published-attribute.ts';
import type { FieldReader } from '../../http/documents/field.ts';
import { complainOfCharacters, isXmlText } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/formats/input-tree.ts';
import { excerpt } from '../../lib/excerpt.ts';
import { parseFlag } from '../../lib/flag.ts';
import { wholeNumber } from '../../lib/whole-number.ts';
import { typeOfBinding } from './bindings.ts';

export function readAttribute(item: InputNode, what: string, reader: FieldReader): AttributeDraft | undefined {
  const name = textIn(item, 'name') ?? '';
  if (name === '') {
    reader.complain(`${what} has no name`);
    return undefined;
  }
  let isWrong = false;
  const wrong = (message: string): undefined => {
    isWrong = true;
    reader.complain(`the attribute '${excerpt(name)}' ${message}`);
  };
  const description = textIn(item, 'description') || undefined;
  const source = textIn(item, 'source') || undefined;
  if (![name, description ?? '', source ?? ''].every(isXmlText)) {
    return complainOfCharacters(reader);
  }
  const draft: Readonly<Record<string, unknown>> = {
    name,
    type: bindingIn(item, wrong),
    nillable: flagIn(item, 'nillable', wrong),
    minOccurs: wholeNumberIn(item, 'minOccurs', 0, wrong),
    maxOccurs: wholeNumberIn(item, 'maxOccurs', -1, wrong),
    length: wholeNumberIn(item, 'length', 0, wrong),
    range: rangeIn(item, wrong),
    options: optionsIn(item, wrong),
    description,
    source,
  };
  if (isWrong) {
    return undefined;
  }
  // One by one: made of a list of pairs, each of a thousand attributes would take as long as reading it.
  const given: Record<string, unknown> = {};
  for (const member in draft) {
    if (draft[member] !== undefined) {
      given[member] = draft[member];
    }
  }
  return given as unknown as AttributeDraft;
}

type Wrong = (message: string) => undefined;

function nodeIn(item: InputNode, member: string): InputNode | undefined {
  const [node] = item.members.get(member) ?? [];
  return node?.kind === 'nil' ? undefined : node;
}

function textIn(item: InputNode, member: string): string | undefined {
  return nodeIn(item, member)?.text.trim();
}

/** What is left empty is as good as absent. */
function bindingIn(item: InputNode, wrong: Wrong): AttributeType | undefined {
  const binding = textIn(item, 'binding') ?? '';
  if (binding === '') {
    return undefined;
  }
  return (
    typeOfBinding(binding) ??
    wrong(
      `has the binding '${excerpt(binding)}', which is not known; java.lang.String, java.util.Date and org.locationtech.jts.geom.Point are examples`,
    )
  );
}

function flagIn(item: InputNode, member: string, wrong: Wrong): boolean | undefined {
  const text = textIn(item, member) ?? '';
  return text === ''
    ? undefined
    : (parseFlag(text) ?? wrong(`has the ${member} '${excerpt(text)}', not true or false`));
}

/** As many as any source can give. */
const MAX_NUMBER = 10_000_000_000;

function wholeNumberIn(item: InputNode, member: string, least: number, wrong: Wrong): number | undefined {
  const text = textIn(item, member) ?? '';
  if (text === '') {
    return undefined;
  }
  const value = wholeNumber(text);
  return value >= least && value < MAX_NUMBER
    ? value
    : wrong(`has the ${member} '${excerpt(text)}', which is no whole number from ${least} on`);
}

function rangeIn(item: InputNode, wrong: Wrong): ValueRange | undefined {
  const node = nodeIn(item, 'range');
  if (node === undefined || isEmpty(node)) {
    return undefined;
  }
  const [min, max] = [textIn(node, 'min') || undefined, textIn(node, 'max') || undefined];
  const isReadable = node.text.trim() === '' && [min ?? '', max ?? ''].every(isXmlText);
  if (!isReadable || (min === undefined && max === undefined)) {
    return wrong('has a range without a min or max');
  }
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Each in an element named after its type, whatever that is. */
function optionsIn(item: InputNode, wrong: Wrong): readonly string[] | undefined {
  const nodes = item.members.get('options') ?? [];
  const values = nodes.flatMap((node) => [...node.members.values()].flat());
  const isPlain = values.every((each) => each.kind !== 'list' && each.members.size === 0 && isXmlText(each.text));
  if (!isPlain || nodes.some((node) => node.text.trim() !== '')) {
    return wrong('has options that are no simple values, each in an element such as string');
  }
  return values.length === 0 ? undefined : values.filter((each) => each.kind !== 'nil').map((each) => each.text);
}

function isEmpty(node: InputNode): boolean {
  return node.members.size === 0 && node.text.trim() === '';
}
