/** The command that rotates the keys of the keystore. */
import { type Command, CommandError } from '../client/command.ts';

/** The path of each step; `show` only reads. */
const paths: Readonly<Record<string, string | undefined>> = {
  data: '/security/keystore/data-key',
  secrets: '/security/keystore/secrets',
  server: '/security/keystore/server-key',
  finish: '/security/keystore/finish',
};

interface Keys {
  readonly serverKey: string;
  readonly previousServerKeys: KeyList;
  readonly dataKey: string;
  readonly nextDataKey?: string;
  readonly previousDataKeys: KeyList;
  readonly nodes: {
    readonly node: readonly { readonly name: string; readonly serverKey?: string; readonly dataKey?: string }[];
  };
}

interface KeyList {
  readonly key: readonly string[];
}

export const rotateKeyCommand: Command = {
  usage: 'data|server|finish|secrets|show [--dry-run]',
  summary:
    'Rotates the keys that protect stored secrets, and prints the ids of the keys. data: replaces the data key and encrypts ' +
    'all secrets again. server: replaces the server key in the data directory. finish: removes previous server keys. ' +
    'secrets: encrypts the secrets of previous data keys again.',
  operands: ['STEP'],
  options: { 'dry-run': 'flag' },
  async run({ server, world, operand, flag }) {
    const step = operand('STEP');
    const path = paths[step];
    if (path === undefined && step !== 'show') {
      throw new CommandError(`Unknown step '${step}'. Use ${Object.keys(paths).join(', ')} or show.`);
    }
    const client = await server();
    const isDry = flag('dry-run');
    if (path !== undefined) {
      await (await client.send({ method: 'POST', path, query: isDry ? [['dryRun', 'true']] : [] })).text();
      if (isDry && !flag('json')) world.print('Dry run: nothing was changed.\n');
    }
    const accept = { accept: 'application/json' };
    const responseText = await (await client.send({ path: '/security/keystore', headers: accept })).text();
    const { keystore } = JSON.parse(responseText) as { readonly keystore: Keys };
    world.print(flag('json') ? `${responseText.trimEnd()}\n` : formatKeys(keystore));
    return 0;
  },
};

function formatKeys({ nodes, nextDataKey, ...keys }: Keys): string {
  const list = ({ key }: KeyList) => key.join(', ') || 'none';
  const lines = [
    ['server key', keys.serverKey],
    ['previous server keys', list(keys.previousServerKeys)],
    ['data key', keys.dataKey],
    ...(nextDataKey === undefined ? [] : [['next data key', nextDataKey]]),
    ['previous data keys', list(keys.previousDataKeys)],
    ...nodes.node.map(({ name, serverKey, dataKey }) => [
      `node ${name.replaceAll(/\p{Cc}/gu, '\ufffd')}`,
      serverKey === undefined ? 'not reported' : `server key ${serverKey}, data key ${dataKey}`,
    ]),
  ];
  return lines.map(([name, value]) => `${name}: ${value}\n`).join('');
}
