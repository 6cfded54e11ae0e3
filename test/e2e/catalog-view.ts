/** The workspaces as a client sees them: the list, each workspace, and its namespace. */
import { expect } from 'vitest';
import type { HttpClient } from './http-client.ts';

export interface SeenWorkspace {
  readonly name: string;
  readonly isolated: boolean;
  readonly uri: string;
}

export async function readWorkspaces(client: HttpClient): Promise<readonly SeenWorkspace[]> {
  const list = await readJson<{ workspaces: { workspace: { name: string }[] } }>(client, '/workspaces.json');
  return Promise.all(list.workspaces.workspace.map(({ name }) => readWorkspace(client, name)));
}

async function readWorkspace(client: HttpClient, name: string): Promise<SeenWorkspace> {
  const path = encodeURIComponent(name);
  const [{ workspace }, { namespace }] = await Promise.all([
    readJson<{ workspace: { name: string; isolated: boolean } }>(client, `/workspaces/${path}.json`),
    readJson<{ namespace: { prefix: string; uri: string } }>(client, `/namespaces/${path}.json`),
  ]);
  expect([workspace.name, namespace.prefix]).toEqual([name, name]);
  return { name, isolated: workspace.isolated, uri: namespace.uri };
}

/** The name of the default workspace; undefined if none is set. */
export async function readDefaultWorkspace(client: HttpClient): Promise<string | undefined> {
  const reply = await client.request('GET', '/workspaces/default.json');
  if (reply.status === 404) return undefined;
  return (reply.json() as { workspace: { name: string } }).workspace.name;
}

async function readJson<T>(client: HttpClient, path: string): Promise<T> {
  const reply = await client.request('GET', path);
  expect(reply.status, path).toBe(200);
  return reply.json() as T;
}
