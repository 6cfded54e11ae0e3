import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';

const starter = readFileSync(new URL('start.cjs', import.meta.url), 'utf8')
  .replace("import('./main.ts')", "start('a server')")
  .replace("import('./cli/main.ts')", "start('a command')");

/** Runs the starter on the given version of Node.js. */
function startOn(node: string, ...words: string[]) {
  return runStarter(node, ['node', 'start.cjs', ...words]);
}

function runStarter(node: string, argv: string[]) {
  let started: string | undefined;
  const errors: string[] = [];
  const flags: string[] = [];
  const process = {
    argv,
    versions: { node },
    stderr: { write: (text: string) => errors.push(text) },
    exitCode: 0,
  };
  const start = (what: string) => {
    started = what;
  };
  const modules: Readonly<Record<string, object>> = {
    'node:module': { enableCompileCache: () => undefined },
    'node:v8': { setFlagsFromString: (flag: string) => flags.push(flag) },
  };
  const require = (name: string) => modules[name];
  runInContext(starter.replace(/^#!.*/, ''), createContext({ process, start, require }));
  return { started, flags, said: errors, exitCode: process.exitCode };
}

it.each(['8.17.0', '20.20.2', '23.11.1'])(
  'Node.js %s is too old: the starter prints one sentence and exits with 1',
  (version) => {
    expect(startOn(version)).toEqual({
      started: undefined,
      flags: [],
      said: [
        `graticule: Node.js ${version} is too old. Install Node.js 24 or later; in a checkout, \`npm ci\` installs it.\n`,
      ],
      exitCode: 1,
    });
  },
);

it.each(['24.0.0', '26.1.0'])('Node.js %s starts the server', (version) => {
  expect(startOn(version)).toEqual({ started: 'a server', flags: [], said: [], exitCode: 0 });
});

it('commands start with a small young generation, which saves memory', () => {
  expect(startOn('24.0.0', 'move-in', 'old-data')).toMatchObject({
    started: 'a command',
    flags: ['--max-semi-space-size=2'],
  });
});

it('serve and options start the server, and other words run a command', () => {
  expect(startOn('24.0.0', 'serve', '--port', '8081').started).toBe('a server');
  expect(startOn('24.0.0', '--port', '8081').started).toBe('a server');
  expect(startOn('24.0.0', 'diff', 'x.json').started).toBe('a command');
});

it.each([
  [['help'], ['--help'], 'a server'],
  [['-h'], ['--help'], 'a server'],
  [['-v'], ['--version'], 'a server'],
  [['version'], ['--version'], 'a server'],
  [['help', 'diff'], ['diff', '--help'], 'a command'],
  [['diff', 'help'], ['diff', 'help'], 'a command'],
])('the words %j mean %j', (words, expected, started) => {
  const argv = ['node', 'start.cjs', ...words];

  expect(runStarter('24.0.0', argv).started).toBe(started);
  expect(argv.slice(2)).toEqual(expected);
});

it('package.json requires the same Node.js version', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string };
  };

  expect(engines.node).toBe('>=24');
});
