/** Parses the attribute definition of a client; errors name the attribute. */
import type { AttributeDraft, AttributeType, ValueRange } from '../../catalog/kinds/published-attribute.ts';
import type { FieldReader } from '../../http/documents/field.ts';
import { isXmlText, reportInvalidCharacters } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';
import { parseBinding } from './bindings.ts';

export function readAttribute(item: InputNode, what: string, reader: FieldReader): AttributeDraft | undefined {
  const name = readText(item, 'name') ?? '';
  if (name === '') {
    reader.reportError(`${what} has no name`);
    return undefined;
  }
  let isWrong = false;
  const reportInvalid = (message: string): undefined => {
    isWrong = true;
    reader.reportError(`attribute '${excerpt(name)}' ${message}`);
  };
  const description = readText(item, 'description') || undefined;
  const source = readText(item, 'source') || undefined;
  if (![name, description ?? '', source ?? ''].every(isXmlText)) {
    return reportInvalidCharacters(reader);
  }
  const draft: Readonly<Record<string, unknown>> = {
    name,
    type: readBinding(item, reportInvalid),
    nillable: readFlag(item, 'nillable', reportInvalid),
    minOccurs: readWholeNumber(item, 'minOccurs', 0, reportInvalid),
    maxOccurs: readWholeNumber(item, 'maxOccurs', -1, reportInvalid),
    length: readWholeNumber(item, 'length', 0, reportInvalid),
    range: readRange(item, reportInvalid),
    options: readOptions(item, reportInvalid),
    description,
    source,
  };
  if (isWrong) {
    return undefined;
  }
  // Members are read one by one: building a list of pairs for a thousand attributes would double the cost.
  const given: Record<string, unknown> = {};
  for (const member in draft) {
    if (draft[member] !== undefined) {
      given[member] = draft[member];
    }
  }
  return given as unknown as AttributeDraft;
}

type ReportInvalid = (message: string) => undefined;

function findMember(item: InputNode, member: string): InputNode | undefined {
  const [node] = item.members.get(member) ?? [];
  return node?.kind === 'nil' ? undefined : node;
}

function readText(item: InputNode, member: string): string | undefined {
  return findMember(item, member)?.text.trim();
}

/** Empty counts as absent. */
function readBinding(item: InputNode, wrong: ReportInvalid): AttributeType | undefined {
  const binding = readText(item, 'binding') ?? '';
  if (binding === '') {
    return undefined;
  }
  return (
    parseBinding(binding) ??
    wrong(
      `has the unknown binding '${excerpt(binding)}'; valid examples are java.lang.String, java.util.Date and org.locationtech.jts.geom.Point`,
    )
  );
}

function readFlag(item: InputNode, member: string, wrong: ReportInvalid): boolean | undefined {
  const text = readText(item, member) ?? '';
  return text === ''
    ? undefined
    : (parseFlag(text) ?? wrong(`has the ${member} '${excerpt(text)}'; expected true or false`));
}

/** The largest value of any data source. */
const MAX_NUMBER = 10_000_000_000;

function readWholeNumber(item: InputNode, member: string, least: number, wrong: ReportInvalid): number | undefined {
  const text = readText(item, member) ?? '';
  if (text === '') {
    return undefined;
  }
  const value = parseWholeNumber(text);
  return value >= least && value < MAX_NUMBER
    ? value
    : wrong(`has the ${member} '${excerpt(text)}'; expected an integer of at least ${least}`);
}

function readRange(item: InputNode, wrong: ReportInvalid): ValueRange | undefined {
  const node = findMember(item, 'range');
  if (node === undefined || isEmpty(node)) {
    return undefined;
  }
  const [min, max] = [readText(node, 'min') || undefined, readText(node, 'max') || undefined];
  const isReadable = node.text.trim() === '' && [min ?? '', max ?? ''].every(isXmlText);
  if (!isReadable || (min === undefined && max === undefined)) {
    return wrong('has a range without a min or max');
  }
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Each in an element named after its type. */
function readOptions(item: InputNode, wrong: ReportInvalid): readonly string[] | undefined {
  const nodes = item.members.get('options') ?? [];
  const values = nodes.flatMap((node) => [...node.members.values()].flat());
  const isPlain = values.every((each) => each.kind !== 'list' && each.members.size === 0 && isXmlText(each.text));
  if (!isPlain || nodes.some((node) => node.text.trim() !== '')) {
    return wrong('has invalid options; expected simple values, each in an element such as string');
  }
  return values.length === 0 ? undefined : values.filter((each) => each.kind !== 'nil').map((each) => each.text);
}

function isEmpty(node: InputNode): boolean {
  return node.members.size === 0 && node.text.trim() === '';
}
