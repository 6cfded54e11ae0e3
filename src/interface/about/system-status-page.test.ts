import { describe, expect, it } from 'vitest';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { buildMetrics } from '../../operations/system/metrics.ts';
import { noMachineFacts } from '../../operations/system/sample.ts';
import { formatBytes, formatDuration, formatMetricValue } from './format-values.ts';
import { buildSystemStatusPage } from './system-status-page.ts';

const context: WriteContext = {
  buildUrl: (path) => `http://host/rest/${path.join('/')}`,
  emptyJsonList: 'array',
  singleJsonItem: 'array',
  listingLinkType: 'application/xml',
};

const sample = {
  ...noMachineFacts,
  uptimeSeconds: 1,
  logicalCpus: 1,
  cpuLoadPercent: 1,
  perCpuLoadPercent: [1],
  memory: { totalBytes: 1, freeBytes: 1 },
  ownCpuPercent: 1,
  heapPercent: 1,
};

function pageOf(facts: Partial<typeof noMachineFacts>): string {
  return buildSystemStatusPage(
    { sampledAtMs: 0, refreshSeconds: 5, metrics: buildMetrics({ ...sample, ...facts }) },
    context,
  );
}

describe('system status page', () => {
  it('shows a partition as its used share, with its sizes below', () => {
    const page = pageOf({ partitions: [{ mountPoint: '/data', totalBytes: 2_048, usedBytes: 512, freeBytes: 1_536 }] });

    expect(page).toContain(
      '<div><dt>/data</dt><dd>25.0 %</dd><dd class="bar"><meter min="0" max="100" low="75" high="90" optimum="0" value="25">25 %</meter></dd><dd class="rest">2.0 KiB total · 1.5 KiB available</dd></div>',
    );
  });

  it('shows a network interface on one line', () => {
    const page = pageOf({ interfaces: [{ name: 'eth0', sentBytes: 10, receivedBytes: 1_024 }] });

    expect(page).toContain('<div><dt>eth0</dt><dd>10 B sent · 1.0 KiB received</dd></div>');
  });

  it('marks metrics that are not available', () => {
    expect(pageOf({})).toContain('<div><dt>Temperature of the CPU</dt><dd class="empty">not available</dd></div>');
  });

  it('escapes names', () => {
    const page = pageOf({
      operatingSystem: '<script>alert(1)</script>',
      interfaces: [{ name: '<img src=x onerror=alert(1)>', sentBytes: 0, receivedBytes: 0 }],
      partitions: [{ mountPoint: '/"><script>', totalBytes: 1, usedBytes: 1, freeBytes: 0 }],
    });

    expect(page).not.toMatch(/<script|<img/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

describe('metric formatting', () => {
  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1.0 KiB'],
    [1_536, '1.5 KiB'],
    [252 * 1_024 ** 3, '252.0 GiB'],
    [1_024 ** 6, '1024.0 PiB'],
  ])('formats the size %d', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [59, '00:00:59'],
    [3_661, '01:01:01'],
    [86_400 * 3 + 60, '3 d 00:01:00'],
  ])('formats the duration %d', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it.each([
    ['°C', 48.5, '48.50 °C'],
    ['rpm', 1_200, '1200 rpm'],
    ['', 1.3, '1.30'],
    ['%', 12.345, '12.3 %'],
  ])('formats a value with its unit: %s', (unit, value, text) => {
    const [metric] = buildMetrics(sample);

    expect(metric && formatMetricValue({ ...metric, available: true, unit, value })).toBe(text);
  });
});
