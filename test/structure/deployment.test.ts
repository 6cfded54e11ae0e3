/** The container files and the Kubernetes example follow common rules, and agree with the settings of the server. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { formatHelpText, readSettings } from '../../src/server/settings/settings.ts';
import { listInstructions, parseCommand, parseDockerfile, readInstruction, readPairs } from '../support/dockerfile.ts';

const stages = parseDockerfile(await readFile('Dockerfile', 'utf8'));
const [build, image] = [stages[0], stages.at(-1)];
if (build === undefined || image === undefined) throw new Error('The Dockerfile has no stages.');
const variables = readPairs(image, 'ENV');

const help = formatHelpText({ program: 'graticule', commands: {} });
const known = new Set(Array.from(help.matchAll(/GRATICULE_\w+/g), ([name]) => name));
const listUnknownSettings = (names: readonly string[]) =>
  names.filter((name) => name.startsWith('GRATICULE_') && !known.has(name));

function readDefaults() {
  const command = readSettings([], {});
  if (command.kind !== 'run') throw new Error('Expected settings.');
  return command.settings;
}
const drainSeconds = readDefaults().drainTimeoutMs / 1_000;

describe('the Dockerfile', () => {
  it('names a fixed version of every base image, and copies only from its own stages', () => {
    const names = stages.map(({ name }) => name);

    for (const stage of stages) {
      expect(stage.image).toMatch(/^[\w./-]+:\d[\w.-]*-slim$/);
      for (const { flags } of listInstructions(stage, 'COPY')) {
        expect(flags['from'] === undefined || names.includes(flags['from'])).toBe(true);
      }
    }
    expect(stages.length).toBeGreaterThan(1);
  });

  it('uses no instruction that hides what it does', () => {
    const all = stages.flatMap(({ instructions }) => instructions);

    expect(all.filter(({ name }) => ['ADD', 'MAINTAINER', 'ONBUILD', 'SHELL'].includes(name))).toEqual([]);
    expect(all.filter(({ text }) => /\bsudo\b|curl .*\|| apt(?:-get)? /.test(text))).toEqual([]);
    for (const { text } of all.filter(({ name }) => name === 'WORKDIR')) expect(text).toMatch(/^\//);
  });

  it('installs exactly the locked packages, and leaves development packages out of the image', () => {
    const runs = listInstructions(build, 'RUN').map(({ text }) => text);

    expect(runs.filter((text) => text.includes('npm ci'))).toHaveLength(1);
    expect(runs.filter((text) => text.includes('npm install'))).toEqual([]);
    expect(runs.at(-1)).toContain('npm prune --omit=dev');
  });

  it('runs as a numeric user other than root, with one volume, a port and a stop signal', () => {
    expect(readInstruction(image, 'USER').text).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(readInstruction(image, 'VOLUME').text).toBe(variables['GRATICULE_DATA_DIR']);
    expect(readInstruction(image, 'EXPOSE').text).toBe(variables['GRATICULE_PORT']);
    expect(readInstruction(image, 'STOPSIGNAL').text).toBe('SIGTERM');
  });

  it('starts the server and checks its health without a shell', () => {
    const check = readInstruction(image, 'HEALTHCHECK');

    expect(parseCommand(readInstruction(image, 'ENTRYPOINT').text)).toEqual(['graticule']);
    expect(parseCommand(readInstruction(image, 'CMD').text)).toEqual(['serve']);
    expect(parseCommand(check.text.replace(/^CMD /, ''))).toEqual(['graticule', 'health']);
    expect(Object.keys(check.flags)).toEqual(['interval', 'timeout', 'start-period', 'retries']);
  });

  it('sets only settings that exist, and no secrets', () => {
    expect(listUnknownSettings(Object.keys(variables))).toEqual([]);
    expect(Object.keys(variables).filter((name) => /password|key|storage/i.test(name))).toEqual([]);
  });

  it('has the standard labels, with version and revision of the build', () => {
    const labels = readPairs(image, 'LABEL');

    for (const name of ['title', 'description', 'licenses', 'version', 'revision', 'base.name']) {
      expect(labels[`org.opencontainers.image.${name}`]).toMatch(/./);
    }
    expect(labels['org.opencontainers.image.version']).toBe('$VERSION');
    expect(labels['org.opencontainers.image.revision']).toBe('$REVISION');
    expect(labels['org.opencontainers.image.base.name']).toBe(`docker.io/library/${image.image}`);
    expect(readPairs(image, 'ARG')).toEqual({ VERSION: 'unknown', REVISION: 'unknown' });
  });

  it('sends exactly the copied files to the build', async () => {
    const patterns = (await readFile('.dockerignore', 'utf8')).split('\n').filter((line) => /^[^#]/.test(line));
    const copied = listInstructions(build, 'COPY').flatMap(({ text }) => text.split(' ').slice(0, -1));

    expect(patterns[0]).toBe('*');
    expect(patterns.filter((each) => each.startsWith('!')).sort()).toEqual(copied.map((name) => `!${name}`).sort());
  });
});

interface ComposeService {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly secrets?: readonly string[];
  readonly group_add?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
  readonly restart: string;
}

describe('.gitignore', () => {
  it('excludes the secrets and the data that the guides create in a checkout', async () => {
    const ignored = (await readFile('.gitignore', 'utf8')).split('\n');

    expect(ignored).toEqual(expect.arrayContaining(['secrets/', '.env', 'graticule-data/', 'graticule-backups/']));
  });
});

describe('compose.yaml', async () => {
  const file = parse(await readFile('compose.yaml', 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly volumes: Readonly<Record<string, unknown>>;
    readonly secrets: Readonly<Record<string, unknown>>;
    readonly networks: { readonly default: { readonly ipam: { readonly config: readonly { subnet: string }[] } } };
  };
  const { database, proxy, ...nodes } = file.services;
  const nodeNames = Object.keys(nodes);

  it('runs two nodes that differ only in their name and their volume', () => {
    const [first, second] = Object.values(nodes);

    expect(nodeNames).toHaveLength(2);
    for (const [name, node] of Object.entries(nodes)) {
      expect(node.environment?.['GRATICULE_NODE_NAME']).toBe(name);
      expect(node.volumes).toEqual([`${name}:${variables['GRATICULE_DATA_DIR']}`]);
    }
    const withoutName = (node: ComposeService | undefined) => ({
      ...node,
      volumes: [],
      environment: { ...node?.environment, GRATICULE_NODE_NAME: '' },
    });
    expect(withoutName(first)).toEqual(withoutName(second));
  });

  it('runs nodes without privileges on a read-only root, reachable only through the proxy', () => {
    for (const node of Object.values(nodes)) {
      expect(node).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
        depends_on: { database: { condition: 'service_healthy' } },
      });
      expect(node.ports).toBeUndefined();
      expect(Number.parseInt(node.stop_grace_period ?? '', 10)).toBeGreaterThan(drainSeconds);
      expect(node.environment?.['GRATICULE_TRUST_PROXY']).toBe(file.networks.default.ipam.config[0]?.subnet);
    }
    expect(database?.ports).toBeUndefined();
    expect(proxy?.ports).toHaveLength(1);
  });

  it('reads secrets by a group, because the server warns about files that all users can read', async () => {
    const guide = await readFile('docs/guides/container.md', 'utf8');
    const [, script = ''] = /(mkdir --mode=0700 secrets\n[^`]*)```/.exec(guide) ?? [];

    for (const node of Object.values(nodes)) expect(node.group_add?.[0]).toMatch(/^\$\{SECRETS_GROUP:\?/);
    expect(script).toContain('SECRETS_GROUP=');
    expect(script.match(/chmod .*/g)).toEqual(['chmod 0440 secrets/*', 'chmod 0444 secrets/database.password']);
  });

  it('sets only settings that exist, and declares every volume and secret', () => {
    const services = Object.values(file.services);
    const mounted = services.flatMap(({ volumes }) => volumes.map((each) => each.split(':')[0] ?? ''));

    expect(services.flatMap(({ environment = {} }) => listUnknownSettings(Object.keys(environment)))).toEqual([]);
    expect(mounted.filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(file.volumes).sort());
    expect([...new Set(services.flatMap(({ secrets = [] }) => secrets))].sort()).toEqual(
      Object.keys(file.secrets).sort(),
    );
    for (const { image: name } of services) expect(name).toMatch(/:/);
  });

  it('reads every secret from a file', () => {
    for (const { environment = {} } of Object.values(file.services)) {
      expect(Object.keys(environment).filter((name) => /(?:_STORAGE|_PASSWORD|_KEY)$/.test(name))).toEqual([]);
    }
    for (const { environment } of Object.values(nodes)) {
      expect(environment?.['GRATICULE_STORAGE_FILE']).toBe('/run/secrets/storage');
    }
  });

  it('starts the proxy after the nodes, and the proxy checks their readiness', async () => {
    const proxyFile = await readFile('deploy/compose/Caddyfile', 'utf8');
    const upstreams = nodeNames.map((name) => `${name}:${variables['GRATICULE_PORT']}`);

    expect(proxyFile).toContain(`reverse_proxy ${upstreams.join(' ')} {`);
    expect(proxyFile).toContain('health_uri /readyz');
    expect(Object.keys(proxy?.depends_on ?? {})).toEqual(nodeNames);
    expect(proxy?.volumes).toContain('./deploy/compose/Caddyfile:/etc/caddy/Caddyfile:ro');
  });
});

type Named = readonly { readonly name: string }[];
type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly ports: readonly unknown[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: Readonly<Record<'requests' | 'limits', { readonly memory: string }>>;
  readonly securityContext: unknown;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: unknown;
  readonly containers: readonly [Container];
  readonly volumes: Named;
}

interface Deployment {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
  };
}

interface Service {
  readonly spec: { readonly selector: Labels; readonly ports: readonly { readonly targetPort: string }[] };
}

interface DisruptionBudget {
  readonly spec: { readonly minAvailable: number; readonly selector: { readonly matchLabels: Labels } };
}

describe('the Kubernetes example', async () => {
  const text = await readFile('deploy/kubernetes/graticule.yaml', 'utf8');
  const objects = parseAllDocuments(text).map((document) => document.toJS() as { readonly kind: string });
  const [deployment, service, budget] = objects as unknown as [Deployment, Service, DisruptionBudget];
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const labels = deployment.spec.template.metadata.labels;

  it('has a Deployment, a Service and a PodDisruptionBudget that select the same pods', () => {
    expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  });

  it('reads every secret from a file that the pod mounts', () => {
    const [volume] = pod.volumes.filter(({ name }) => name === 'secrets') as unknown as readonly {
      readonly secret: { readonly items: readonly { readonly path: string }[] };
    }[];
    const files = container.env.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value);

    expect(files.sort()).toEqual(volume?.secret.items.map(({ path }) => `/run/secrets/graticule/${path}`).sort());
    expect(files).toContain('/run/secrets/graticule/storage');
    expect(container.env.filter(({ name }) => /(?:_STORAGE|_PASSWORD|_KEY)$/.test(name))).toEqual([]);
  });

  it('runs as the user of the image, without privileges, on a read-only root', () => {
    const [user, group] = readInstruction(image, 'USER').text.split(':').map(Number);

    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: group,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.image).toMatch(/:\d/);
    expect(container.resources.limits.memory).toBe(container.resources.requests.memory);
  });

  it('probes liveness and readiness on the port of the image, and stops after the requests in progress', () => {
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(variables['GRATICULE_PORT']) }]);
    expect(container.startupProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(service.spec.ports[0]?.targetPort).toBe('http');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(container.lifecycle.preStop.sleep.seconds + drainSeconds);
  });

  it('listens on the port of the container, and not on the address that Kubernetes derives from the Service', () => {
    expect(pod.enableServiceLinks).toBe(false);
    expect(container.env.find(({ name }) => name === 'GRATICULE_PORT')?.value).toBe(variables['GRATICULE_PORT']);
  });

  it('sets only settings that exist, and mounts every volume', () => {
    const named = (list: Named) => list.map(({ name }) => name);

    expect(listUnknownSettings(named(container.env))).toEqual([]);
    expect(named(container.volumeMounts).sort()).toEqual(named(pod.volumes).sort());
    expect(container.volumeMounts[0]?.mountPath).toBe(variables['GRATICULE_DATA_DIR']);
  });
});
