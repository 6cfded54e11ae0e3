/** The parameter filters of tile settings: one element for each, named after its type, also in JSON. */
import type { TileLayerView } from '../../catalog/tile-layers/tile-layers.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { letterCases, type Normalization, type ParameterFilter, STYLES } from '../../tiles/settings/tile-settings.ts';
import { isNil, readNumbers, readTexts, toNumber, toSequence, toValueMember } from '../common/list-nodes.ts';

type FilterKind = ParameterFilter['kind'];

const kinds: readonly FilterKind[] = ['style', 'string', 'regex', 'float', 'integer'];
const formatElementName = (kind: FilterKind) => `${kind}ParameterFilter`;

export function filtersField(): WritableField<TileLayerView, readonly ParameterFilter[]> {
  return {
    read: (nodes, reader) => {
      if (isNil(nodes)) return null;
      return nodes.flatMap((node) => readFilters(node, reader));
    },
    write: ({ settings: { parameterFilters } }) =>
      parameterFilters && {
        kind: 'object',
        members: parameterFilters.map((filter) => ({
          name: formatElementName(filter.kind),
          node: writeFilter(filter),
        })),
      },
    required: false,
    schema: {
      type: 'object',
      properties: Object.fromEntries(kinds.map((kind) => [formatElementName(kind), createSchema(kind)])),
      additionalProperties: true,
      description:
        'Allowed values of request parameters, as elements styleParameterFilter, stringParameterFilter, regexParameterFilter, floatParameterFilter and integerParameterFilter. Parameters without a filter are not restricted.',
    },
  };
}

function createSchema(kind: FilterKind) {
  const list = {
    type: 'array',
    items: { type: kind === 'float' || kind === 'integer' ? 'number' : 'string' },
  } as const;
  const own = {
    style: { allowedStyles: list },
    string: { values: list },
    regex: { regex: { type: 'string' } },
    float: { values: list, threshold: { type: 'number' } },
    integer: { values: list, threshold: { type: 'number' } },
  } as const;
  return {
    type: 'object',
    properties: { key: { type: 'string' }, defaultValue: { type: 'string' }, ...own[kind] },
    additionalProperties: true,
  } as const;
}

/** A node is the object around typed filters, or one filter without a type, as JSON of GeoWebCache has. */
function readFilters(node: InputNode, reader: FieldReader): readonly ParameterFilter[] {
  if (node.members.has('key')) return readFilter(node, guessKind(node), reader);
  return [...node.members].flatMap(([name, inner]) => {
    const kind = kinds.find((each) => formatElementName(each) === name);
    if (kind !== undefined) return inner.flatMap((each) => readFilter(each, kind, reader));
    reader.reportError(`unknown filter '${excerpt(name)}': expected ${kinds.map(formatElementName).join(', ')}`);
    return [];
  });
}

function guessKind(node: InputNode): FilterKind {
  if (node.members.has('regex')) return 'regex';
  if (node.members.has('threshold')) return 'float';
  const isStyle = readMember(node, 'key').toUpperCase() === STYLES && !node.members.has('values');
  return isStyle ? 'style' : 'string';
}

function readMember(node: InputNode, name: string): string {
  return node.members.get(name)?.[0]?.text ?? '';
}

/** Returns an empty list after an error. */
function readFilter(node: InputNode, kind: FilterKind, reader: FieldReader): readonly ParameterFilter[] {
  const base = { key: readMember(node, 'key').trim(), defaultValue: readMember(node, 'defaultValue') };
  switch (kind) {
    case 'style': {
      const styles = node.members.get('allowedStyles');
      const allowedStyles = styles && readTexts(styles, reader);
      return [{ ...base, kind, key: base.key || STYLES, ...(allowedStyles == null ? {} : { allowedStyles }) }];
    }
    case 'string':
      return [{ ...base, kind, values: readTexts(node.members.get('values') ?? [], reader) ?? [], ...readCase(node) }];
    case 'regex':
      return [{ ...base, kind, regex: readMember(node, 'regex'), ...readCase(node) }];
    default: {
      const itemName = kind === 'float' ? 'float' : 'int';
      const values = readNumbers(node.members.get('values') ?? [], reader, itemName) ?? [];
      const [threshold] = node.members.get('threshold') ?? [];
      return [{ ...base, kind, values, threshold: threshold === undefined ? 0 : toNumber(threshold) }];
    }
  }
}

function readCase(node: InputNode): { readonly normalize?: Normalization } {
  const [normalize] = node.members.get('normalize') ?? [];
  if (normalize === undefined || normalize.members.size === 0) return {};
  const written = readMember(normalize, 'case').trim().toUpperCase() || 'NONE';
  // Other texts are rejected with the settings.
  const letterCase = letterCases.find((each) => each === written) ?? (written as Normalization['case']);
  return { normalize: { case: letterCase, locale: readMember(normalize, 'locale').trim() } };
}

function writeFilter(filter: ParameterFilter): OutputNode {
  const members: OutputMember[] = [
    toValueMember('key', filter.key),
    toValueMember('defaultValue', filter.defaultValue),
  ];
  if ('normalize' in filter && filter.normalize !== undefined) {
    const { case: letterCase, locale } = filter.normalize;
    members.push({
      name: 'normalize',
      node: { kind: 'object', members: [toValueMember('case', letterCase), toValueMember('locale', locale)] },
    });
  }
  members.push(...writeOwnMembers(filter));
  return { kind: 'object', members };
}

function writeOwnMembers(filter: ParameterFilter): readonly OutputMember[] {
  switch (filter.kind) {
    case 'style':
      return filter.allowedStyles === undefined
        ? []
        : [{ name: 'allowedStyles', node: toSequence('string', filter.allowedStyles) }];
    case 'string':
      return [{ name: 'values', node: toSequence('string', filter.values) }];
    case 'regex':
      return [toValueMember('regex', filter.regex)];
    default:
      return [
        { name: 'values', node: toSequence(filter.kind === 'float' ? 'float' : 'int', filter.values) },
        toValueMember('threshold', filter.threshold),
      ];
  }
}
