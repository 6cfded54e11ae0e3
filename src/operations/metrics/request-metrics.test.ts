import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatExposition } from './exposition.ts';
import { RequestMetrics } from './request-metrics.ts';

const read = { pattern: '/rest/workspaces/:workspace', method: 'GET', status: 200, durationMs: 2 };

function textOf(metrics: RequestMetrics): readonly string[] {
  return formatExposition(metrics.collect()).split('\n');
}

describe('request metrics', () => {
  test('count by route, method and status', () => {
    const metrics = new RequestMetrics();
    metrics.count(read);
    metrics.count(read);
    metrics.count({ ...read, status: 404 });
    metrics.count({ ...read, method: 'PUT' });

    expect(textOf(metrics)).toEqual(
      expect.arrayContaining([
        '# TYPE graticule_http_requests_total counter',
        'graticule_http_requests_total{route="/rest/workspaces/:workspace",method="GET",status="200"} 2',
        'graticule_http_requests_total{route="/rest/workspaces/:workspace",method="GET",status="404"} 1',
        'graticule_http_requests_total{route="/rest/workspaces/:workspace",method="PUT",status="200"} 1',
      ]),
    );
  });

  test('measure durations in cumulative buckets', () => {
    const metrics = new RequestMetrics();
    for (const durationMs of [0.4, 1, 3, 90_000]) {
      metrics.count({ ...read, durationMs });
    }

    const labels = 'route="/rest/workspaces/:workspace",method="GET"';
    expect(textOf(metrics)).toEqual(
      expect.arrayContaining([
        '# TYPE graticule_http_request_duration_seconds histogram',
        `graticule_http_request_duration_seconds_bucket{${labels},le="0.0005"} 1`,
        `graticule_http_request_duration_seconds_bucket{${labels},le="0.001"} 2`,
        `graticule_http_request_duration_seconds_bucket{${labels},le="0.0025"} 2`,
        `graticule_http_request_duration_seconds_bucket{${labels},le="0.005"} 3`,
        `graticule_http_request_duration_seconds_bucket{${labels},le="60"} 3`,
        `graticule_http_request_duration_seconds_bucket{${labels},le="+Inf"} 4`,
        `graticule_http_request_duration_seconds_sum{${labels}} 90.0044`,
        `graticule_http_request_duration_seconds_count{${labels}} 4`,
      ]),
    );
  });

  test('use one label for all unknown paths and methods, so that clients cannot exhaust the memory', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (methods) => {
        const metrics = new RequestMetrics();
        for (const method of methods) {
          metrics.count({ pattern: undefined, method: `X${method}`, status: 404, durationMs: 1 });
        }

        expect(textOf(metrics)).toContain(
          `graticule_http_requests_total{route="unmatched",method="other",status="404"} ${methods.length}`,
        );
      }),
    );
  });
});

test('escape label values and help texts', () => {
  const metric = {
    name: 'x',
    type: 'gauge',
    unit: 'none',
    labels: { l: '' },
    help: 'a\\b\nc',
    recordedIn: '',
  } as const;
  const text = formatExposition([
    {
      metric,
      samples: [{ labels: { l: 'a"b\\c\nd' }, value: Number.POSITIVE_INFINITY }],
    },
  ]);

  expect(text).toBe('# HELP x a\\\\b\\nc\n# TYPE x gauge\nx{l="a\\"b\\\\c\\nd"} +Inf\n');
});
