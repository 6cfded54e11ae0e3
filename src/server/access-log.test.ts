import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AccessLog, formatAccessLine } from './access-log.ts';

const entry = {
  method: 'GET',
  target: '/geoserver/wms?request=GetMap&authkey=s3cret&layers=topo:west',
  httpVersion: '1.1',
  status: 200,
  bytes: 5_120,
  ms: 12.5,
  user: 'ann',
  client: '192.0.2.7',
  referrer: '-',
  agent: 'curl/8.5',
};

const time = new Date('2026-11-17T21:55:28.123Z');

describe('access log', () => {
  it('has lines in the combined format, without values of secret parameters', () => {
    expect(formatAccessLine(entry, 'combined', time)).toBe(
      '192.0.2.7 - ann [17/Nov/2026:21:55:28 +0000] "GET /geoserver/wms?request=GetMap&authkey=(redacted)&layers=topo:west HTTP/1.1" 200 5120 "-" "curl/8.5"\n',
    );
  });

  it('has JSON lines with the same facts and the duration', () => {
    expect(JSON.parse(formatAccessLine(entry, 'json', time))).toEqual({
      ...entry,
      time: '2026-11-17T21:55:28.123Z',
      target: '/geoserver/wms?request=GetMap&authkey=(redacted)&layers=topo:west',
    });
  });

  it.each([
    ['a quotation mark', { agent: 'a" 200 1 "' }, '"a\\x22 200 1 \\x22"'],
    ['a line break', { agent: 'a\nb' }, '"a\\x0Ab"'],
    ['a space in the user name', { user: 'Ada Lovelace' }, ' - Ada_Lovelace ['],
    ['an encoded name of a secret', { target: '/x?pass%77ord=1' }, '/x?pass%77ord=*** '],
    ['a secret in the referrer', { referrer: 'http://a.example/?token=1' }, '"http://a.example/?token=***"'],
    ['a signature', { target: '/x?sig=1&size=2' }, '/x?sig=***&size=2 '],
    ['a client with a quotation mark', { client: 'a" b' }, 'a\\x22_b - ann'],
  ])('keeps one line with unchanged fields for %s', (_, sent, expected) => {
    const line = formatAccessLine({ ...entry, ...sent }, 'combined', time);

    expect(line).toContain(expected);
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  it.each([
    ['the user and password', 'https://ann:s3cret@a.example/x', 'https://a.example/x'],
    ['a secret in the query', 'https://a.example/?token=s3cret', 'https://a.example/?token=***'],
    ['a secret in the fragment', 'https://a.example/#a=1&token=s3cret', 'https://a.example/#a=1&token=***'],
    ['a parameter of an SQL view', '/x?viewparams=a:1;password:s3cret;b:2', '/x?viewparams=a:1;password:***;b:2'],
    ['an encoded parameter', '/x?view%70arams=p%61sswd%3As3cret%3Bb:2', '/x?view%70arams=passwd:***;b:2'],
    ['a secret of a second layer', '/x?VIEWPARAMS=a:1,pwd:s3%zz,\\;cret', '/x?VIEWPARAMS=a:1,pwd:***'],
    ['a variable of styles', '/x?env=size:3;api_key:s3cret', '/x?env=size:3;api_key:***'],
    [
      'nothing else',
      '/x?env=size:3;color:%23ff0000&cql_filter=a%3D1',
      '/x?env=size:3;color:%23ff0000&cql_filter=a%3D1',
    ],
  ])('removes %s from addresses in both formats', (_, address, expected) => {
    const sent = { ...entry, target: address, referrer: address };

    expect(JSON.parse(formatAccessLine(sent, 'json', time))).toMatchObject({ target: expected, referrer: expected });
    expect(formatAccessLine(sent, 'combined', time)).toContain(`"GET ${expected} HTTP/1.1" 200 5120 "${expected}"`);
  });

  it('writes all lines in order when it is closed', async () => {
    const written: string[] = [];
    const append = async (lines: string) => {
      written.push(lines);
    };
    const log = new AccessLog({ format: 'json', clock: () => time.getTime(), append, onError: () => undefined });

    log.write({ ...entry, status: 200 });
    log.write({ ...entry, status: 404 });
    await log.close();

    expect(
      written
        .join('')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { status: number }).status),
    ).toEqual([200, 404]);
  });

  it('keeps lines that could not be written, reports the first failure, and counts lines beyond the limit', async () => {
    const failures: unknown[] = [];
    const written: string[] = [];
    let isFull = true;
    const log = new AccessLog({
      format: 'json',
      clock: () => 0,
      append: async (lines) => {
        if (isFull) throw new Error('no space left on device');
        written.push(lines);
      },
      onError: (reason) => failures.push(reason),
    });

    log.write({ ...entry, status: 201 });
    await log.close();
    log.write({ ...entry, status: 202 });
    await log.close();
    expect(failures).toEqual([new Error('no space left on device')]);
    log.write({ ...entry, agent: 'x'.repeat(9_000_000) });
    log.write({ ...entry, status: 203 });
    expect(log.droppedLines).toBe(1);
    isFull = false;
    await log.close();

    const lines = written.join('').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([201, 202, 200]);
    log.write(entry);
    expect(log.droppedLines).toBe(1);
  });

  it('writes the lines again without a further line', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const results = [false, false, true];
    const written: string[] = [];
    const append = async (lines: string) => {
      if (results.shift() !== true) throw new Error('no space left on device');
      written.push(lines);
    };
    const log = new AccessLog({ format: 'json', clock: () => 0, append, onError: () => undefined });

    log.write(entry);
    await vi.advanceTimersByTimeAsync(2_200);

    expect(written).toHaveLength(1);
  });
});
