/** The dashboard and the alert rules use existing metrics, and Prometheus accepts them and the metrics of a server. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { declaredMetrics } from '../support/exposition.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { startTestServer } from '../support/test-server.ts';
import { describeWithTool } from '../support/with-tool.ts';

const folder = join(import.meta.dirname, '../../deploy/monitoring');
const run = promisify(execFile);

interface Dashboard {
  readonly panels: readonly { readonly type: string; readonly targets?: readonly { readonly expr: string }[] }[];
}
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}

const dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8')) as Dashboard;
const rules = (parse(await readFile(join(folder, 'alerts.yaml'), 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The metrics of a query that the server does not have, and labels that they lack. */
function listUnknownParts(query: string): readonly string[] {
  return [...query.matchAll(/\b((?:graticule|process)_\w+)(?:\{([^}]*)\})?/g)].flatMap(
    ([, name = '', selector = '']) => {
      const metric = declaredMetrics.find(
        (each) =>
          each.name === name ||
          (each.type === 'histogram' && [`_bucket`, '_sum', '_count'].some((end) => each.name + end === name)),
      );
      if (metric === undefined) return [name];
      const labels = [...selector.matchAll(/(\w+)(?==|!)/g)].map(([, label = '']) => label);
      const known = [...Object.keys(metric.labels), 'instance', 'job', 'le'];
      return labels.filter((label) => !known.includes(label)).map((label) => `${name} ${label}`);
    },
  );
}

describe('deploy/monitoring', () => {
  it('the dashboard uses only metrics and labels that the server has', () => {
    expect(queries.length).toBeGreaterThan(30);
    expect(queries.flatMap(listUnknownParts)).toEqual([]);
    expect(listUnknownParts('rate(graticule_missing_total[5m]) + graticule_build_info{colour="red"}')).toHaveLength(2);
  });

  it('alerts use only existing metrics, and have a severity, a summary and a runbook', () => {
    expect(rules.flatMap(({ expr }) => listUnknownParts(expr))).toEqual([]);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Graticule[A-Z]/);
      expect(['warning', 'critical']).toContain(labels['severity']);
      expect(annotations['summary']).toMatch(/\.$/);
      expect(annotations['runbook']).toMatch(/\.$/);
    }
  });
});

describeWithTool('promtool', 'deploy/monitoring', () => {
  const temporary = useTemporaryFolder('monitoring');

  it('promtool accepts the configuration and the rules, and the tests of the rules pass', async () => {
    await run('promtool', ['check', 'config', '--syntax-only', 'prometheus.yaml'], { cwd: folder });
    await run('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: folder });
    const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: folder });

    expect(stdout).toContain('SUCCESS');
  });

  it('the tests of the rules expect each alert', async () => {
    const tests = await readFile(join(folder, 'alerts.test.yaml'), 'utf8');

    for (const { alert } of rules) expect(tests).toContain(`alertname="${alert}"`);
  });

  it('promtool accepts the queries of the dashboard', async () => {
    const groups = [{ name: 'dashboard', rules: queries.map((expr, index) => ({ record: `panel:${index}`, expr })) }];
    const checked = JSON.stringify({ groups }).replaceAll('$__rate_interval', '5m');

    const file = join(temporary, 'dashboard.yaml');
    await writeFile(file, checked);

    expect((await run('promtool', ['check', 'rules', file])).stdout).toContain(`${queries.length} rules found`);
  });

  it('promtool finds no fault in the metrics of a server', async () => {
    const server = await startTestServer();
    await server.get('/workspaces');
    const { text } = await server.get('//metrics');
    await server.close();

    expect(await checkMetrics(text)).toBe('');
  });
});

/** Returns the faults and the advice. */
async function checkMetrics(text: string): Promise<string> {
  const checking = run('promtool', ['check', 'metrics']);
  checking.child.stdin?.end(text);
  const { stdout, stderr } = await checking.catch((error: { stdout: string; stderr: string }) => error);
  return `${stdout}${stderr}`;
}
