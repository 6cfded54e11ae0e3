/** The command line as a user runs it: a process of its own, with its output, its signals and its end. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { within } from './within.ts';

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Ended extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

export interface ProcessOptions {
  readonly flags?: readonly string[];
  readonly environment?: Environment;
  /** What is run, the flags being added; the server itself unless said otherwise. */
  readonly command?: readonly [program: string, ...args: string[]];
}

export interface ServerProcess {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves as soon as the output holds the pattern; fails when the process ends without it. */
  waitFor(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>;
  isRunning(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** To the process and all that it started, as a terminal does on Ctrl-C. */
  signalGroup(signal: NodeJS.Signals): void;
  /** Waits for the end, and for the last of the output. */
  ended(): Promise<Ended>;
}

const serverCommand: readonly [string, ...string[]] = [process.execPath, 'src/main.ts'];

/** Starts the process; it does not outlive the test. */
export function spawnServer(options: ProcessOptions = {}): ServerProcess {
  const [program, ...args] = options.command ?? serverCommand;
  const child = spawn(program, [...args, ...(options.flags ?? [])], {
    cwd: projectFolder,
    env: { ...environmentWithoutSettings(), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that the test runner never gets the signals meant for it.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) {
    throw new Error(`'${program}' could not be started.`);
  }
  const outputs = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
  const closed = once(child, 'close').then(([code, signal]): Exit => ({ code, signal }));
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  onTestFinished(async () => {
    killGroup(pid);
    await within(closed, 'a killed process to end');
  });

  return {
    pid,
    isRunning,
    stdout: () => outputs.stdout.text(),
    stderr: () => outputs.stderr.text(),
    waitFor: (stream, pattern) =>
      within(
        outputs[stream].find(pattern, closed),
        () => `${pattern} on ${stream}, which holds: ${outputs[stream].text()}`,
      ),
    signal: (signal) => sendSignal(child, signal),
    signalGroup: (signal) => process.kill(-pid, signal),
    async ended() {
      const exit = await within(closed, () => `the process to end; it said: ${outputs.stderr.text()}`);
      return { ...exit, stdout: outputs.stdout.text(), stderr: outputs.stderr.text() };
    },
  };
}

/** Runs the command line to its end, for what does not stay: help, and starts that fail. */
export function runToEnd(flags: readonly string[], environment: Environment = {}): Promise<Ended> {
  return spawnServer({ flags, environment }).ended();
}

interface Collected {
  text(): string;
  find(pattern: RegExp, closed: Promise<unknown>): Promise<RegExpExecArray>;
}

function collect(stream: Readable): Collected {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return {
    text: () => text,
    find: (pattern, closed) =>
      new Promise((resolve, reject) => {
        const look = (): boolean => {
          const found = pattern.exec(text);
          if (found !== null) {
            stream.off('data', look);
            resolve(found);
          }
          return found !== null;
        };
        if (!look()) {
          stream.on('data', look);
          closed.then(() => look() || reject(new Error(`The process ended without ${pattern}: ${text}`)));
        }
      }),
  };
}

function sendSignal(child: ChildProcessByStdio<null, Readable, Readable>, signal: NodeJS.Signals): void {
  if (!child.kill(signal)) {
    throw new Error(`${signal} could not be sent: the process has ended already.`);
  }
}

/** Also takes what the process may have left behind. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Settings of whoever runs the tests are not the settings of the tests. */
function environmentWithoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GRATICULE_')));
}
