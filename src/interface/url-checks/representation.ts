/** The documents for URL checks and for the result of a test. */

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
      description: text((check) => check.description ?? undefined, { description: 'Purpose of the check.' }),
      enabled: flag((check) => check.enabled, {
        description: 'Whether the check is active; default: false.',
        example: true,
      }),
      regex: text((check) => check.regex, {
        required: true,
        description: 'Regular expression (RE2) that must match the whole URL in its normal form.',
        example: '^https://data\\.example\\.org/.*$',
      }),
    },
    { title: (check) => `URL check ${check.name}` },
  ),
);

const getUrlCheckPath = (name: string) => ['urlchecks', name];

/**
 * The keys of the JSON listing differ from the XML element names in our own dialect, and equal them in the reference.
 */
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

/** Whether a URL would be opened, the deciding check, and a message. */
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
            description: 'The matching check.',
            properties: { name: { type: 'string' }, href: { type: 'string', format: 'uri' } },
          },
          message: { type: 'string', examples: ["The URL check 'partner' allows this URL."] },
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
      title: 'URL check test',
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
      return `The URL check '${decision.check}' allows this URL.`;
    case 'unresolved':
      return `The URL check '${decision.check}' allows this URL, but its host name cannot be resolved at present.`;
    case 'refused':
      return `The URL is not allowed: ${decision.reason}.`;
  }
}
