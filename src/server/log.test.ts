import { describe, expect, it } from 'vitest';
import { batchWrites, createLogger, createTimestamp, type LogOptions } from './log.ts';

function logTo(format: LogOptions['format'], level: LogOptions['level'] = 'info') {
  const lines: string[] = [];
  return { lines, logger: createLogger({ level, format, write: (line) => lines.push(line) }) };
}

const request = {
  requestId: 'e21',
  method: 'GET',
  path: '/geoserver/rest/workspaces/acme',
  route: '/geoserver/rest/workspaces/:workspace',
  status: 404,
  ms: 1.5,
  user: 'admin',
  client: '192.0.2.7',
};

describe('JSON log', () => {
  it('writes one JSON line per event, with its time', () => {
    const { lines, logger } = logTo('json');

    logger.info(request, 'request');

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ...request,
      msg: 'request',
    });
  });

  it('writes one line even if a client sends line breaks', () => {
    const { lines, logger } = logTo('json');

    logger.info({ path: '/a\nb\u2028c' }, 'request');

    expect(lines.join('')).toMatch(/^[^\n]*\n$/);
  });

  it.each([
    ['a successful request', {}],
    ['a user name that needs quoting', { path: '/a"b\\c\n\u0001é', user: 'Ada "the first"' }],
    ['a request to a service', { operation: 'GetMap', layers: 'topo:west,"x"' }],
    ['a rejected request', { code: 'workspace-unknown', reason: "No such workspace: 'a'." }],
    ['an aborted request', { note: 'the client disconnected' }],
  ])('writes requests with the same members as pino: %s', (_what, facts) => {
    const { lines, logger } = logTo('json');

    logger.logRequest({ ...request, ...facts });
    logger.info({ ...request, ...facts }, 'request');

    const [ours, usual] = lines.map((line) => ({ ...JSON.parse(line), time: 'now' }));
    expect(ours).toEqual(usual);
    expect(Object.keys(ours ?? {})).toEqual(Object.keys(usual ?? {}));
    expect(lines[0]).toMatch(/^[^\n]*\n$/);
  });

  it('writes no requests at level warn', () => {
    const { lines, logger } = logTo('json', 'warn');

    logger.logRequest(request);

    expect(lines).toEqual([]);
  });
});

describe('text log', () => {
  it('writes the fields of a request in a fixed order', () => {
    const { lines, logger } = logTo('text');

    logger.info(request, 'request');

    expect(lines.join('')).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}404 GET \/geoserver\/rest\/workspaces\/acme 1\.5 ms admin 192\.0\.2\.7 e21\n$/,
    );
  });

  it('writes the operation and the layers of a request to a service', () => {
    const { lines, logger } = logTo('text');

    logger.info({ ...request, path: '/geoserver/wms', operation: 'GetMap', layers: 'topo:west' }, 'request');

    expect(lines.join('')).toContain(' GET /geoserver/wms GetMap topo:west 1.5 ms admin 192.0.2.7 e21\n');
  });

  it('appends the reason of a rejected request', () => {
    const { lines, logger } = logTo('text');

    logger.info({ ...request, code: 'workspace-unknown', reason: "No such workspace: 'a\u001b'." }, 'request');

    expect(lines.join('')).toMatch(/ admin 192\.0\.2\.7 e21 workspace-unknown: No such workspace: 'a\ufffd'\.\n$/);
  });

  it('appends the details of other events', () => {
    const { lines, logger } = logTo('text');

    logger.warn({ entries: 3, places: ['a', 'b'] }, 'deleted leftovers');

    expect(lines.join('')).toMatch(/ WARN {2}deleted leftovers entries=3 places=\["a","b"\]\n$/);
  });

  it('appends the stack of an error', () => {
    const { lines, logger } = logTo('text');

    logger.error({ err: new Error('it broke') }, 'unexpected failure');

    expect(lines.join('')).toMatch(/ ERROR unexpected failure\nError: it broke\n {4}at /);
  });

  it('replaces control characters', () => {
    const { lines, logger } = logTo('text');

    logger.info({ ...request, path: '/\u001b[31m', user: 'a\rb' }, 'request');
    logger.info({ name: 'a\u001b]0;title\u0007' }, 'said');
    logger.error({ err: new Error('about \u001b[2J') }, 'unexpected failure');

    expect(lines.join('').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

it('batched writes combine the lines of one event loop turn, in order', async () => {
  const writes: string[] = [];
  const write = batchWrites((text) => writes.push(text));

  write('a\n');
  write('b\n');
  expect(writes).toEqual([]);
  await new Promise(setImmediate);
  write('c\n');
  await new Promise(setImmediate);

  expect(writes).toEqual(['a\nb\n', 'c\n']);
});

it('the level filters log lines', () => {
  const { lines, logger } = logTo('text', 'warn');

  logger.info('not this');
  logger.warn('but this');

  expect(lines).toHaveLength(1);
});

it('the time of a line follows the clock, even backwards', () => {
  const times = [0, 7, 7, 999, 1_000, 1_010, 86_399_999, 86_400_000, 5, 1_793_700_000_123];
  let nowMs = 0;
  const time = createTimestamp(() => nowMs);

  const written = times.map((each) => {
    nowMs = each;
    return time();
  });

  expect(written).toEqual(times.map((each) => `,"time":"${new Date(each).toISOString()}"`));
});
