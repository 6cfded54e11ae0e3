/** The documents for data rules and for explanations. */
import type { AccessExplanation, ExplainedMode } from '../../catalog/data-rules/explain-access.ts';
import { type DocumentReader, type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import type { FieldReader, FieldValues, WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { createObject } from '../../lib/values/create-object.ts';
import {
  type AttributeAccess,
  areaModes,
  attributeAccesses,
  type DataRule,
  type DataRuleArea,
} from '../../security/data-rules/data-rule.ts';

const { text, flag } = createFieldBuilders<DataRule>();

const fields = {
  name: text(({ name }) => name, { required: true, description: 'Unique.', example: 'field-staff' }),
  layer: text(({ layer }) => layer, {
    required: true,
    description: "'workspace:layer', 'workspace:*' or '*:*'.",
    example: 'land:parcels',
  }),
  roles: rolesField(),
  enabled: flag(({ enabled }) => enabled, { description: 'Whether the rule applies; default: true.' }),
  rows: conditionField('rows', 'Rows that can be read, as ECQL with variables; null for all rows.'),
  writeRows: conditionField('writeRows', "Rows that can be changed; null for those of 'rows'."),
  attributes: attributesField(),
  area: areaField(),
};

const describedDocument = defineDocument('dataRule', fields, { title: ({ name }) => `Data rule ${name}` });

/** Unknown members are rejected: a misspelled limit would not limit anything. */
export const dataRuleDocument: DocumentWriter<DataRule, OutputNode> & DocumentReader<FieldValues<typeof fields>> = {
  ...describedDocument,
  read: (body, purpose) =>
    describedDocument.read(body, purpose, (at, name, known) => {
      const isNested = at !== '' && at !== describedDocument.root;
      const field = isNested ? at : excerpt(at === '' ? name : `${at}.${name}`);
      const message = `unknown member '${excerpt(name)}'. Use ${known.join(', ')}`;
      throw problem('document-invalid', { complaints: [{ field, message }], field });
    }),
};

const LIST = 'dataRules';

export const dataRuleListing: DocumentWriter<readonly DataRule[]> = {
  root: LIST,
  schemaName: 'DataRules',
  schema: {
    type: 'object',
    properties: {
      [LIST]: { type: 'array', items: describedDocument.schema.properties?.['dataRule'] ?? { type: 'object' } },
    },
    required: [LIST],
  },
  write: (rules) => ({
    root: LIST,
    title: 'Data rules',
    node: {
      kind: 'sequence',
      members: rules.map((rule) => ({ name: 'dataRule', node: describedDocument.write(rule).node })),
    },
  }),
};

function toValueMember(name: string, value: string | number | boolean | null): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function rolesField(): WritableField<DataRule, readonly string[]> {
  return {
    read: (nodes, { reportError }) => {
      if (isNil(nodes)) return null;
      if (nodes.every(({ kind }) => kind === 'scalar')) return nodes.map((node) => node.text);
      reportError('expected a list of roles');
      return undefined;
    },
    write: ({ roles }) => ({ kind: 'sequence', members: roles.map((role) => toValueMember('role', role)) }),
    required: true,
    schema: {
      type: 'array',
      items: { type: 'string' },
      description: "Roles that the rule applies to; '*' for everybody.",
      examples: [['FIELD']],
    },
  };
}

function conditionField(field: 'rows' | 'writeRows', description: string): WritableField<DataRule, string> {
  return {
    read: (nodes, reader) => readScalar(nodes, reader),
    write: (rule) => ({ kind: 'value', value: rule[field] }),
    required: false,
    schema: { description, examples: ['owner = ${user.name}'] },
  };
}

function attributesField(): WritableField<DataRule, Readonly<Record<string, AttributeAccess>>> {
  return {
    read: readAttributes,
    write: ({ attributes }) => ({
      kind: 'object',
      members: Object.entries(attributes).map(([name, access]) => toValueMember(name, access)),
    }),
    required: false,
    schema: {
      type: 'object',
      additionalProperties: { type: 'string', enum: attributeAccesses },
      description: "Access by attribute name; '*' for all others, which can be written by default.",
      examples: [{ owner: 'read', tax_no: 'hide' }],
    },
  };
}

function readAttributes(nodes: readonly InputNode[], { reportError }: FieldReader) {
  if (isNil(nodes)) return null;
  const [node] = nodes;
  if (node === undefined || nodes.length > 1 || node.kind === 'list' || node.text.trim() !== '') {
    reportError('expected attribute names with hide, read or write');
    return undefined;
  }
  const entries: [string, AttributeAccess][] = [];
  const named = [
    ...[...node.attributes].map(([name, value]) => [`@${name}`, value] as const),
    ...[...node.members].map(([name, values]) => [name, values.length === 1 ? values[0]?.text : undefined] as const),
  ];
  for (const [name, value] of named) {
    const access = attributeAccesses.find((each) => each === value);
    if (access === undefined) {
      reportError(`invalid access '${excerpt(value ?? '')}' of '${excerpt(name)}'. Use hide, read or write`);
    } else entries.push([name, access]);
  }
  return createObject(entries) as Readonly<Record<string, AttributeAccess>>;
}

function areaField(): WritableField<DataRule, DataRuleArea> {
  return {
    read: readArea,
    write: ({ area }) =>
      area === null
        ? { kind: 'value', value: null }
        : {
            kind: 'object',
            members: (['geometry', 'crs', 'mode'] as const).map((name) => toValueMember(name, area[name])),
          },
    required: false,
    schema: {
      description: 'A polygon that limits the features, or clips them; null for everywhere.',
      properties: {
        geometry: {
          description: 'Polygon or multipolygon as WKT or GeoJSON, x before y.',
          examples: ['POLYGON ((0 0, 20 0, 20 30, 0 0))'],
        },
        crs: { type: 'string', description: 'Default: EPSG:4326.' },
        mode: { type: 'string', enum: areaModes, description: 'Default: intersects.' },
      },
    },
  };
}

function readArea(nodes: readonly InputNode[], { at, reportError }: FieldReader): DataRuleArea | null | undefined {
  if (isNil(nodes)) return null;
  const [node] = nodes;
  if (node === undefined || nodes.length > 1 || node.kind !== 'object') {
    reportError('expected geometry, crs and mode');
    return undefined;
  }
  const reader = { at, reportError };
  const read = (name: string) => readScalar(node.members.get(name) ?? [], reader) ?? undefined;
  const [geometry] = node.members.get('geometry') ?? [];
  const wkt = geometry?.kind === 'object' ? readGeoJson(geometry) : read('geometry');
  const mode = areaModes.find((each) => each === (read('mode') ?? 'intersects'));
  if (wkt === undefined) reportError('geometry: expected a polygon or multipolygon as WKT or GeoJSON');
  if (mode === undefined) reportError(`mode: use ${areaModes.join(' or ')}`);
  return wkt === undefined || mode === undefined ? undefined : { geometry: wkt, crs: read('crs') ?? 'EPSG:4326', mode };
}

const depths: Readonly<Record<string, number>> = { Polygon: 2, MultiPolygon: 3 };

/** Returns the WKT of a GeoJSON polygon; undefined for anything else. */
function readGeoJson(node: InputNode): string | undefined {
  const type = node.members.get('type')?.[0]?.text ?? '';
  const depth = Object.hasOwn(depths, type) ? depths[type] : undefined;
  const body = depth === undefined ? undefined : writePositions(node.members.get('coordinates') ?? [], depth);
  return body === undefined ? undefined : `${type.toUpperCase()} (${body})`;
}

function writePositions(nodes: readonly InputNode[], depth: number): string | undefined {
  if (depth === 0) {
    const isPosition = nodes.length === 2 && nodes.every(({ kind, text }) => kind === 'scalar' && isNumber(text));
    return isPosition ? nodes.map((node) => node.text).join(' ') : undefined;
  }
  const parts = nodes.map(({ items }) => writePositions(items, depth - 1));
  if (parts.length === 0 || parts.some((each) => each === undefined)) return undefined;
  return parts.map((each) => (depth === 1 ? each : `(${each})`)).join(', ');
}

function isNumber(value: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
}

function isNil(nodes: readonly InputNode[]): boolean {
  return nodes.length === 1 && nodes[0]?.kind === 'nil';
}

function readScalar(nodes: readonly InputNode[], { reportError }: Pick<FieldReader, 'reportError'>) {
  const [node] = nodes;
  if (node?.kind === 'nil') return null;
  if (node === undefined) return undefined;
  if (nodes.length === 1 && node.kind === 'scalar') return node.text;
  reportError('expected text');
  return undefined;
}

const EXPLANATION = 'explanation';

const modeSchema: JsonSchema = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['allow', 'limit', 'empty', 'deny'] },
    shownAs: { type: 'string', enum: ['hidden', 'challenge'], description: 'How a denied layer appears.' },
    decidedBy: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['administrator', 'layer-rule', 'data-rule', 'default'] },
        rule: { type: 'string', description: 'Key of the deciding layer rule.' },
        roles: { type: 'array', items: { type: 'string' } },
        level: { type: 'string', description: 'Level of the deciding data rules.' },
        rules: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};

export const explanationDocument: DocumentWriter<AccessExplanation> = {
  root: EXPLANATION,
  schemaName: 'AccessExplanation',
  schema: {
    type: 'object',
    properties: {
      [EXPLANATION]: {
        type: 'object',
        properties: {
          layer: { type: 'string' },
          subject: {
            type: 'object',
            properties: {
              user: { description: 'User name, or null for roles.' },
              roles: { type: 'array', items: { type: 'string' } },
            },
          },
          read: modeSchema,
          write: modeSchema,
          admin: modeSchema,
          data: {
            description: 'Effective limits, or null for an unrestricted layer.',
            properties: {
              applied: { type: 'array', items: { type: 'string' } },
              skipped: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    rule: { type: 'string' },
                    reason: { type: 'string', enum: ['roles', 'disabled', 'level', 'variable'] },
                  },
                },
              },
              rows: { description: 'Rows that can be read, or null for all.' },
              writeRows: { description: 'Rows that can be changed, or null for all.' },
              attributes: { type: 'object', additionalProperties: { type: 'string', enum: attributeAccesses } },
              area: { description: 'Areas of the applied rules, or null.' },
            },
          },
        },
      },
    },
    required: [EXPLANATION],
  },
  write: (explanation) => ({
    root: EXPLANATION,
    title: `Access to ${explanation.layer}`,
    node: {
      kind: 'object',
      members: [
        toValueMember('layer', explanation.layer),
        {
          name: 'subject',
          node: {
            kind: 'object',
            members: [
              toValueMember('user', explanation.subject.user),
              writeTexts('roles', 'role', explanation.subject.roles),
            ],
          },
        },
        ...(['read', 'write', 'admin'] as const).map((mode) => ({ name: mode, node: writeMode(explanation[mode]) })),
        { name: 'data', node: writeData(explanation.data) },
      ],
    },
  }),
};

function writeTexts(name: string, itemName: string, texts: readonly string[]): OutputMember {
  return { name, node: { kind: 'sequence', members: texts.map((each) => toValueMember(itemName, each)) } };
}

function writeMode({ verdict, shownAs, decidedBy }: ExplainedMode): OutputNode {
  const { kind, rule, roles, level, rules } = decidedBy;
  return {
    kind: 'object',
    members: [
      toValueMember('verdict', verdict),
      ...(shownAs === undefined ? [] : [toValueMember('shownAs', shownAs)]),
      {
        name: 'decidedBy',
        node: {
          kind: 'object',
          members: [
            toValueMember('kind', kind),
            ...(rule === undefined ? [] : [toValueMember('rule', rule)]),
            ...(roles === undefined ? [] : [writeTexts('roles', 'role', roles)]),
            ...(level === undefined ? [] : [toValueMember('level', level)]),
            ...(rules === undefined ? [] : [writeTexts('rules', 'rule', rules)]),
          ],
        },
      },
    ],
  };
}

function writeData(data: AccessExplanation['data']): OutputNode {
  if (data === null) return { kind: 'value', value: null };
  return {
    kind: 'object',
    members: [
      writeTexts('applied', 'rule', data.applied),
      {
        name: 'skipped',
        node: {
          kind: 'sequence',
          members: data.skipped.map(({ rule, reason }) => ({
            name: 'rule',
            node: { kind: 'object', members: [toValueMember('rule', rule), toValueMember('reason', reason)] },
          })),
        },
      },
      toValueMember('rows', data.rows),
      toValueMember('writeRows', data.writeRows),
      {
        name: 'attributes',
        node: {
          kind: 'object',
          members: Object.entries(data.attributes).map(([name, access]) => toValueMember(name, access)),
        },
      },
      {
        name: 'area',
        node:
          data.areas.length === 0
            ? { kind: 'value', value: null }
            : {
                kind: 'sequence',
                members: data.areas.map((area) => ({
                  name: 'area',
                  node: {
                    kind: 'object',
                    members: (['geometry', 'crs', 'mode'] as const).map((name) => toValueMember(name, area[name])),
                  },
                })),
              },
      },
    ],
  };
}
