/** The documents for access rules and the catalog mode. */
import {
  type DocumentReader,
  type DocumentWriter,
  defineDocument,
  SMALL_DOCUMENT_BYTES,
} from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { hasRoot, toRootlessDocument } from '../../http/documents/rootless.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import { type FieldError, problem } from '../../lib/problems/problem.ts';
import type { RuleDraft } from '../../security/access-rules/access-rules.ts';
import type { RuleEntry } from '../../security/access-rules/rule-families.ts';
import { type CatalogMode, catalogModes } from '../../security/access-rules/rule-records.ts';
import { formatRoles } from '../../security/access-rules/rule-roles.ts';

const { text } = createFieldBuilders<CatalogMode>();

export const catalogModeDocument = toRootlessDocument(
  defineDocument(
    'catalog',
    {
      mode: text((mode) => mode, {
        description: `Allowed values: ${catalogModes.join(', ')}.`,
        example: catalogModes[0],
      }),
    },
    { title: () => 'Catalog mode' },
  ),
);

const ROOT = 'rules';

const schema: JsonSchema = {
  type: 'object',
  description:
    "Comma-separated roles for the key of each rule. In XML: rules/rule with the key in the attribute 'resource'.",
  additionalProperties: { type: 'string' },
  examples: [{ 'acme.*.r': 'EDITOR,VIEWER' }],
};

/** `<rules><rule resource="*.*.r">*</rule></rules>` in XML, `{"*.*.r":"*"}` in JSON. */
export function createRulesDocument(
  title: string,
): DocumentWriter<readonly RuleEntry[]> & DocumentReader<readonly RuleDraft[]> {
  return {
    root: ROOT,
    maxBytes: SMALL_DOCUMENT_BYTES,
    schema,
    xmlExample: '<rules><rule resource="acme.*.r">EDITOR,VIEWER</rule></rules>',
    write: (rules) => ({
      root: ROOT,
      title,
      node: {
        kind: 'list',
        itemName: 'rule',
        items: rules.map(({ key, roles }) => ({
          kind: 'object',
          attributes: { resource: key },
          text: formatRoles(roles),
          members: [],
        })),
      },
      json: {
        root: null,
        node: {
          kind: 'object',
          members: rules.map(({ key, roles }) => ({
            name: key,
            node: { kind: 'value', value: formatRoles(roles) },
          })),
        },
      },
    }),
    read: readRules,
  };
}

/** Parses both forms of a rule set in either format, with or without the root key. */
function readRules(body: InputNode): readonly RuleDraft[] {
  const complaints: FieldError[] = [];
  const drafts = unwrapRules(body).flatMap((node) => [
    ...(node.members.get('rule') ?? []).map((rule) => readRuleElement(rule, complaints)),
    ...[...node.members]
      .filter(([name]) => name !== 'rule')
      .map(([key, values]) => readRuleMember(key, values, complaints)),
    // The name of a workspace can begin with `@`, which denotes an attribute in a JSON member name.
    ...[...node.attributes].map(([name, roles]) => ({ key: `@${name}`, roles })),
  ]);
  if (complaints.length > 0) {
    throw problem('document-invalid', { complaints, field: complaints[0]?.field ?? ROOT });
  }
  return drafts;
}

function unwrapRules(body: InputNode): readonly InputNode[] {
  const nodes = hasRoot(body, ROOT) ? (body.members.get(ROOT) ?? []) : [body];
  const isPlain = nodes.some((node) => node.kind === 'list' || (node.kind === 'scalar' && node.text.trim() !== ''));
  if (body.kind !== 'object' || isPlain) {
    throw problem('document-root', { expected: ROOT, found: 'a plain value or a list' });
  }
  return nodes;
}

function readRuleElement(rule: InputNode, complaints: FieldError[]): RuleDraft {
  const key = rule.attributes.get('resource');
  if (key === undefined || rule.kind === 'nil' || rule.members.size > 0) {
    complaints.push({ field: 'rules.rule', message: "expected a 'resource' attribute and the roles as text" });
  }
  return { key: key ?? '', roles: rule.text };
}

/** Several values under one key are several roles. */
function readRuleMember(key: string, values: readonly InputNode[], complaints: FieldError[]): RuleDraft {
  if (values.some((value) => value.kind !== 'scalar')) {
    complaints.push({ field: `rules.${key.slice(0, 100)}`, message: 'expected the roles as text' });
  }
  return { key, roles: values.map((value) => value.text).join(',') };
}
