/** The documents of a provider test. Unknown members are errors. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { DescribedDocument } from '../../http/documents/schema.ts';
import type { ReportUnknown } from '../../http/documents/unknown-fields.ts';
import { wrapNode } from '../../http/documents/unwrap.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import { toInputNode } from '../../http/serialization/read-json.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { ProviderDraft } from '../../security/auth-providers/auth-providers.ts';
import {
  type ProviderTestResult,
  type TestCredentials,
  type TestStep,
  testSteps,
} from '../../security/external-login/test-provider.ts';
import { providerReader } from './representation.ts';

export const testBody: DescribedDocument = {
  root: 'authprovider',
  schemaName: 'ProviderTestRequest',
  schema: {
    type: 'object',
    required: ['authprovider'],
    properties: {
      authprovider: {
        type: 'object',
        description: 'A provider as for its creation, or only the name of a stored one.',
        additionalProperties: true,
        examples: [{ name: 'default' }],
      },
      credentials: {
        type: 'object',
        description: 'Optional: user and password, token, or headers.',
        properties: {
          user: { type: 'string' },
          password: { type: 'string', writeOnly: true },
          token: { type: 'string', writeOnly: true },
          headers: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
};

export interface TestRequest {
  /** A text is the name of a stored provider. */
  readonly provider: ProviderDraft | string;
  readonly credentials: TestCredentials | undefined;
}

export function readTestRequest(body: JsonTree): TestRequest {
  const members = readMembers(body, '', ['authprovider', 'credentials']);
  const sent = members.get('authprovider');
  if (sent?.kind !== 'object') throw createInvalid('authprovider', 'an object was expected');
  const name = sent.members.size === 1 ? sent.members.get('name') : undefined;
  const credentials = members.get('credentials');
  return {
    provider:
      name?.kind === 'string'
        ? name.text
        : providerReader.read(wrapNode('authprovider', toInputNode(sent)), 'create', rejectUnknown),
    credentials: credentials === undefined || credentials.kind === 'null' ? undefined : readCredentials(credentials),
  };
}

function readCredentials(tree: JsonTree): TestCredentials {
  const members = readMembers(tree, 'credentials', ['user', 'password', 'token', 'headers']);
  const names = [...members.keys()].toSorted().join(' ');
  switch (names) {
    case 'password user':
      return { kind: 'password', user: readText(members, 'user'), password: readText(members, 'password') };
    case 'token':
      return { kind: 'token', token: readText(members, 'token') };
    case 'headers': {
      const headers = members.get('headers');
      if (headers?.kind !== 'object') throw createInvalid('credentials.headers', 'an object was expected');
      return { kind: 'headers', headers: new Map([...headers.members].map(readHeader)) };
    }
    default:
      throw createInvalid('credentials', 'user and password, token or headers were expected');
  }
}

function readHeader([name, tree]: readonly [string, JsonTree]): readonly [string, readonly string[]] {
  const values = tree.kind === 'array' ? tree.items : [tree];
  return [
    name.toLowerCase(),
    values.map((value) => {
      if (value.kind === 'string') return value.text;
      throw createInvalid(`credentials.headers.${excerpt(name)}`, 'a text or a list of texts was expected');
    }),
  ];
}

function readText(members: ReadonlyMap<string, JsonTree>, name: string): string {
  const found = members.get(name);
  if (found?.kind === 'string') return found.text;
  throw createInvalid(`credentials.${name}`, 'a text was expected');
}

function readMembers(tree: JsonTree, at: string, known: readonly string[]): ReadonlyMap<string, JsonTree> {
  if (tree.kind !== 'object') throw createInvalid(at || 'authprovider', 'an object was expected');
  const unknown = [...tree.members.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const field = at === '' ? excerpt(unknown) : `${at}.${excerpt(unknown)}`;
    throw createInvalid(field, `is unknown. Known members: ${known.join(', ')}`);
  }
  return tree.members;
}

const rejectUnknown: ReportUnknown = (at, name, known) => {
  throw createInvalid(`${at}.${excerpt(name)}`, `is unknown. Known members: ${known.join(', ')}`);
};

function createInvalid(field: string, message: string) {
  return problem('document-invalid', { complaints: [{ field, message }], field });
}

export const testResult: DocumentWriter<ProviderTestResult> = {
  root: 'test',
  schemaName: 'ProviderTest',
  schema: {
    type: 'object',
    required: ['test'],
    properties: {
      test: {
        type: 'object',
        properties: {
          ok: { type: 'boolean' },
          steps: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                step: { type: 'string', enum: [...testSteps] },
                ok: { type: 'boolean' },
                code: { type: 'string' },
                message: { type: 'string' },
                keys: { type: 'array', items: { type: 'object', additionalProperties: true } },
              },
            },
          },
          principal: { description: 'Name and roles, or null.' },
        },
      },
    },
  },
  write: ({ steps, principal }) => ({
    root: 'test',
    title: 'Test of an authentication provider',
    node: {
      kind: 'object',
      members: [
        { name: 'ok', node: { kind: 'value', value: steps.every(({ ok }) => ok) } },
        {
          name: 'steps',
          node: { kind: 'sequence', members: steps.map((step) => ({ name: 'step', node: writeStep(step) })) },
        },
        {
          name: 'principal',
          node:
            principal === undefined
              ? { kind: 'value', value: null }
              : {
                  kind: 'object',
                  members: [
                    { name: 'name', node: { kind: 'value', value: principal.name } },
                    { name: 'roles', node: { kind: 'repeated', items: [...principal.roles].toSorted() } },
                  ],
                },
        },
      ],
    },
  }),
};

function writeStep({ step, ok, code, message, keys }: TestStep): OutputNode {
  const values = Object.entries({ step, ok, code, message }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, node: { kind: 'value', value } as const }],
  );
  const shown = keys?.map(({ kid, kty, alg }) => ({
    name: 'key',
    node: {
      kind: 'object' as const,
      members: Object.entries({ kid, kty, alg }).map(([name, value]) => ({
        name,
        node: { kind: 'value' as const, value: value ?? null },
      })),
    },
  }));
  return {
    kind: 'object',
    members: [
      ...values,
      ...(shown === undefined ? [] : [{ name: 'keys', node: { kind: 'sequence', members: shown } as const }]),
    ],
  };
}
