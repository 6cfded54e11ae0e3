/** The document that lists the keys of the keystore by their ids. It contains no key. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import { writeRecordTable } from '../../http/serialization/write-html.ts';
import type { KeystoreKeys } from '../../security/keystore/keystore.ts';

const id: JsonSchema = { type: 'string', examples: ['9f86d081884c7d65'] };
const ids: JsonSchema = { type: 'object', properties: { key: { type: 'array', items: id } } };

const nodeProperties = {
  name: { type: 'string' },
  here: { type: 'boolean', description: 'Whether this node sent the response.' },
  serverKey: { ...id, description: 'Absent for a node of an earlier version.' },
  dataKey: id,
} as const satisfies Readonly<Record<string, JsonSchema>>;

const properties = {
  serverKey: { ...id, description: 'The server key of this node.' },
  serverKeyInDataDirectory: { type: 'boolean', description: 'Whether the server can replace its key itself.' },
  previousServerKeys: { ...ids, description: 'Other server keys that open the keystore.' },
  dataKey: { ...id, description: 'The key that encrypts new secrets.' },
  nextDataKey: { ...id, description: 'The key of a rotation that is not finished.' },
  previousDataKeys: { ...ids, description: 'Keys that only decrypt secrets of the history.' },
  nodes: {
    type: 'object',
    properties: { node: { type: 'array', items: { type: 'object', properties: nodeProperties } } },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const keystoreKeysDocument: DocumentWriter<KeystoreKeys> = {
  root: 'keystore',
  schemaName: 'KeystoreKeys',
  schema: { type: 'object', properties: { keystore: { type: 'object', properties } }, required: ['keystore'] },
  write: (keys) => ({
    root: 'keystore',
    title: 'Keys of the keystore',
    node: buildKeys(keys),
    page: { alternates: [], writeContent: () => buildPage(keys) },
  }),
};

function buildKeys(keys: KeystoreKeys): OutputNode {
  const { serverKey, isServerKeyInDataDirectory, previousServerKeys, dataKey, nextDataKey, previousDataKeys } = keys;
  return buildObject({
    serverKey: buildValue(serverKey),
    serverKeyInDataDirectory: buildValue(isServerKeyInDataDirectory),
    previousServerKeys: buildList('key', previousServerKeys.map(buildValue)),
    dataKey: buildValue(dataKey),
    nextDataKey: nextDataKey === undefined ? undefined : buildValue(nextDataKey),
    previousDataKeys: buildList('key', previousDataKeys.map(buildValue)),
    nodes: buildList(
      'node',
      keys.nodes.map(({ node, isHere, keys: own }) =>
        buildObject({
          name: buildValue(node),
          here: buildValue(isHere),
          serverKey: own && buildValue(own.serverKey),
          dataKey: own && buildValue(own.dataKey),
        }),
      ),
    ),
  });
}

function buildValue(value: string | boolean): OutputNode {
  return { kind: 'value', value };
}

function buildList(itemName: string, items: readonly OutputNode[]): OutputNode {
  return { kind: 'list', itemName, items };
}

function buildObject(members: Readonly<Record<string, OutputNode | undefined>>): OutputNode {
  return {
    kind: 'object',
    members: Object.entries(members).flatMap(([name, node]) => (node === undefined ? [] : [{ name, node }])),
  };
}

function buildPage({ previousServerKeys, previousDataKeys, nextDataKey, nodes }: KeystoreKeys): Html {
  const rows = nodes.map(({ node, isHere, keys }) =>
    [isHere ? `${node} (this node)` : node, keys?.serverKey ?? 'not reported', keys?.dataKey ?? 'not reported'].map(
      (cell) => html`${text(cell)}`,
    ),
  );
  const lists = [
    ['Previous server keys', previousServerKeys],
    ['Previous data keys', previousDataKeys],
    ['Next data key', nextDataKey === undefined ? [] : [nextDataKey]],
  ] as const;
  return html`<p>The keys are named by their ids, which reveal nothing.</p>
${writeRecordTable(['Node', 'Server key', 'Data key'], rows)}
<dl>${lists.map(([title, keys]) => html`<dt>${text(title)}</dt><dd>${text(keys.join(', ') || 'none')}</dd>`)}</dl>`;
}
