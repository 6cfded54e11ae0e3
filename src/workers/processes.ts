/**
 * Programs of this server in processes of their own, for work that a thread cannot interrupt. The main thread starts
 * them for all threads: a process whose thread was terminated would remain as a zombie, and here it is killed and
 * collected.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { isMainThread, type MessagePort, parentPort } from 'node:worker_threads';

/** Bytes that wait for their thread; the process waits above this. */
const MAX_WAITING_BYTES = 1_048_576;

export interface ProcessOrder {
  /** The path of a module of this server. */
  readonly program: string;
  /** A line for its standard input, which stays open until the process must end. */
  readonly line: string;
  readonly maxHeapMb: number;
}

/** What a process sends: pieces of its standard output, and how it ended. */
export type ProcessMessage =
  | { readonly processId: number | undefined }
  | { readonly piece: Uint8Array }
  | { readonly ended: string };

/** The end of a process that has sent everything. */
export const SUCCESS = 'success';

interface ProcessRequest {
  readonly processOrder: ProcessOrder;
  readonly port: MessagePort;
}

/**
 * Starts a process that sends its messages to the other end of the port, and waits until their bytes are acknowledged.
 * It is killed when the port is closed, also by the end of the thread.
 */
export function startProcess(order: ProcessOrder, port: MessagePort): void {
  if (isMainThread) runProcess(order, port);
  else parentPort?.postMessage({ processOrder: order, port } satisfies ProcessRequest, [port]);
}

/** Called in the main thread with the messages of all threads. */
export function acceptProcessRequest(message: unknown): void {
  if (isProcessRequest(message)) runProcess(message.processOrder, message.port);
}

function isProcessRequest(message: unknown): message is ProcessRequest {
  return typeof message === 'object' && message !== null && 'processOrder' in message && 'port' in message;
}

function runProcess(order: ProcessOrder, port: MessagePort): void {
  let isOver = false;
  const send = (message: ProcessMessage) => port.postMessage(message);
  const end = (how: string) => {
    if (isOver) return;
    isOver = true;
    send({ ended: how });
    port.close();
  };
  const child = spawnProgram(order);
  send({ processId: child.pid });
  let waitingBytes = 0;
  child.stdout.on('data', (piece: Buffer) => {
    waitingBytes += piece.length;
    if (waitingBytes > MAX_WAITING_BYTES) child.stdout.pause();
    send({ piece });
  });
  port.on('message', (readBytes: number) => {
    waitingBytes -= readBytes;
    if (waitingBytes <= MAX_WAITING_BYTES) child.stdout.resume();
  });
  port.on('close', () => child.kill('SIGKILL'));
  child.on('error', (error) => end(error.message));
  child.on('close', (code, signal) => end(code === 0 ? SUCCESS : `code ${code}, signal ${signal}`));
}

function spawnProgram({ program, line, maxHeapMb }: ProcessOrder): ChildProcessByStdio<Writable, Readable, null> {
  const flags = ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${maxHeapMb}`];
  // The pipe to its input ends with the server.
  const child = spawn(process.execPath, [...flags, program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    windowsHide: true,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${line}\n`);
  return child;
}
