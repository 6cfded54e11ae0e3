/** URL checks as documents, and the answer to a test. */

import type { UrlDecision } from '../../gates/url-gate.ts';
import { acceptUnwrapped } from '../../http/documents/accept-unwrapped.ts';
import { type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter, type Entries, type ListWriter } from '../../http/documents/listing.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import type { UrlCheck } from '../../security/url-checks/url-check.ts';
import type { Dialect } from '../common/dialects.ts';

const { text, flag } = createFieldBuilders<UrlCheck>();

export const urlCheckDocument = acceptUnwrapped(
  defineDocument(
    'regexUrlCheck',
    {
      name: text((check) => check.name, { required: true, description: 'Unique.' }),
      description: text((check) => check.description ?? undefined, { description: 'What it is for.' }),
      enabled: flag((check) => check.enabled, {
        description: 'Whether it opens anything; a new check does not.',
        example: true,
      }),
      regex: text((check) => check.regex, {
        required: true,
        description: 'What the whole of a URL, in its normal form, must match (RE2 syntax).',
        example: '^https://data\\.example\\.org/.*$',
      }),
    },
    { title: (check) => `URL check ${check.name}` },
  ),
);

const getUrlCheckPath = (name: string) => ['urlchecks', name];

/** The keys of the JSON listing differ from the names of the XML elements by our interface, and are these in the reference. */
export function createUrlCheckListing(dialect: Dialect): ListWriter<UrlCheck, Entries<UrlCheck>> {
  const createListing = (root: string, itemName: string) =>
    createListWriter<UrlCheck>(root, {
      itemName,
      title: 'URL checks',
      name: (check) => check.name,
      path: (check) => getUrlCheckPath(check.name),
      note: (check) => (check.enabled ? undefined : 'disabled'),
    });
  const xml = createListing('urlChecks', 'urlCheck');
  if (dialect.urlCheckListKeys === 'camel case') {
    return xml;
  }
  const json = createListing('urlchecks', 'urlcheck');
  return {
    ...xml,
    schema: json.schema,
    write: (checks) => {
      const { root, node } = json.write(checks);
      return { ...xml.write(checks), json: { root, node } };
    },
  };
}

const verdictRoot = 'urlCheckTest';

/** Whether a URL would be opened, which check says so, and a sentence for people. */
export const verdictDocument: DocumentWriter<UrlDecision> = {
  root: verdictRoot,
  schema: {
    type: 'object',
    properties: {
      [verdictRoot]: {
        type: 'object',
        properties: {
          url: {
            type: 'string',
            description: 'The URL in its normal form, without its query.',
            examples: ['https://data.example.org/roads.zip'],
          },
          allowed: { type: 'boolean' },
          urlCheck: {
            type: 'object',
            description: 'The check that matches it.',
            properties: { name: { type: 'string' }, href: { type: 'string', format: 'uri' } },
          },
          message: { type: 'string', examples: ["The URL check 'partner' lets it pass."] },
        },
        required: ['url', 'allowed', 'message'],
      },
    },
    required: [verdictRoot],
  },
  write(decision) {
    const toValueMember = (name: string, of: string | boolean): OutputMember => ({
      name,
      node: { kind: 'value', value: of },
    });
    const check: readonly OutputMember[] =
      decision.check === undefined
        ? []
        : [
            {
              name: 'urlCheck',
              node: {
                kind: 'object',
                members: [toValueMember('name', decision.check)],
                link: getUrlCheckPath(decision.check),
              },
            },
          ];
    return {
      root: verdictRoot,
      title: 'Test of the URL checks',
      node: {
        kind: 'object',
        members: [
          toValueMember('url', decision.kind === 'refused' ? decision.shown : decision.url.shown),
          toValueMember('allowed', decision.kind !== 'refused'),
          ...check,
          toValueMember('message', formatDecision(decision)),
        ],
      },
    };
  },
};

function formatDecision(decision: UrlDecision): string {
  switch (decision.kind) {
    case 'open':
      return `The URL check '${decision.check}' lets it pass.`;
    case 'unresolved':
      return `The URL check '${decision.check}' lets it pass, but its host is currently unknown.`;
    case 'refused':
      return `The URL is not allowed: ${decision.reason}.`;
  }
}
