/** Runs the command line as a user does: in a separate process, with its output, signals and exit. */
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
  /** The command, to which the flags are added; the server by default. */
  readonly command?: readonly [program: string, ...args: string[]];
}

export interface ServerProcess {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves as soon as the output matches the pattern; fails if the process exits without a match. */
  waitFor(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>;
  isRunning(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal to the process and all its children, as a terminal does on Ctrl-C. */
  signalGroup(signal: NodeJS.Signals): void;
  /** Waits for the exit and the rest of the output. */
  ended(): Promise<Ended>;
}

const serverCommand: readonly [string, ...string[]] = [process.execPath, 'src/main.ts'];

/** Starts the process, and ends it with the test. */
export function spawnServer(options: ProcessOptions = {}): ServerProcess {
  const [program, ...args] = options.command ?? serverCommand;
  const child = spawn(program, [...args, ...(options.flags ?? [])], {
    cwd: projectFolder,
    env: { ...environmentWithoutSettings(), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that the test runner does not receive signals for the server.
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

/** Runs the command line until it exits, for example for help and for starts that fail. */
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

/** Also ends processes that the main process has left. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Removes settings from the environment of the developer. */
function environmentWithoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GRATICULE_')));
}
