/** A client generated from the OpenAPI document compiles and has types for requests and responses. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../support/test-server.ts';

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** `npm test` installs the generator here, with the TypeScript version it needs. */
const generator = join(import.meta.dirname, 'node_modules/openapi-typescript/bin/cli.js');

const strictly = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--allowImportingTsExtensions',
  '--module',
  'nodenext',
  '--target',
  'es2024',
];

/** A program written against the generated types; the compiler must reject each marked line. */
const program = `
import type { components, paths } from './interface.ts';

type Read<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer J } } } };
} ? J : never;

export function names(data: Read<'/workspaces/{workspace}'>, list: Read<'/workspaces'>): readonly string[] {
  const name: string = data.workspace.name;
  const isolated: boolean | undefined = data.workspace.isolated;
  return [name, String(isolated), ...(list.workspaces.workspace ?? []).map((each) => each.href)];
}

export function layer(data: Read<'/layers/{layer}'>): string | undefined {
  return data.layer.defaultStyle?.name;
}

// @ts-expect-error A name is not a number.
export const count = (data: Read<'/workspaces/{workspace}'>): number => data.workspace.name;

// @ts-expect-error There is no such field.
export const other = (data: Read<'/workspaces/{workspace}'>) => data.workspace.nmae;

export const sent: components['schemas']['WorkspaceDocument'] = { workspace: { name: 'acme' } };

// XML is text to a client.
type Xml = paths['/workspaces/{workspace}']['get']['responses'][200]['content']['application/xml'];
export const xml: Xml = '<workspace><name>acme</name></workspace>';

// Clients that accept any documented content get its types, not unknown.
type AnyContent = paths['/workspaces/{workspace}']['get']['responses'][200]['content'];
type Content = AnyContent[keyof AnyContent];
// @ts-expect-error A number is no content.
export const content: Content = 42;

type AnyBody = NonNullable<paths['/workspaces']['post']['requestBody']>['content'];
// @ts-expect-error A number is no body.
export const body: AnyBody[keyof AnyBody] = 42;

export const code: components['schemas']['ProblemCode'] = 'workspace-unknown';
`;

it('a generated client compiles and is typed', { timeout: 180_000 }, async () => {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'graticule-client-'));
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { text } = await server.get('/openapi.json');

  await writeFile(join(folder, 'openapi.json'), text);
  await writeFile(join(folder, 'program.ts'), program);
  await promisify(execFile)(process.execPath, [generator, 'openapi.json', '--output', 'interface.ts'], { cwd: folder });
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...strictly, 'program.ts'], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);

  expect(stdout).toBe('');
});
