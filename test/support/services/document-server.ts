/**
 * A small in-process document database: it implements the MongoDB wire protocol for any driver, with a query engine.
 * Unsupported commands are answered as unknown.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { type Database, runCommand } from './document-commands.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** The failure mode of a broken server for every request except the first greeting. */
export type Misbehaviour = 'hang' | 'drop' | BrokenReply;

/** Invalid lengths, an invalid document, or an endlessly nested one. */
export type BrokenReply =
  | 'text'
  | 'no length'
  | 'negative length'
  | 'huge length'
  | 'broken document'
  | 'deep document';

export interface DocumentServer {
  readonly port: number;
  /** `mongodb://127.0.0.1:<port>/<database>`. */
  uri(database: string): string;
  /** Takes effect immediately; undefined restores normal operation. */
  misbehave(how: Misbehaviour | undefined): void;
  /** Additional fields of the greeting, such as replica set members. */
  greetWith(more: BSON.Document): void;
  /** The names of received commands, without greetings. */
  readonly commands: readonly string[];
  /** The number of open connections. */
  connections(): number;
  /** The total number of connections. */
  accepted(): number;
  close(): Promise<void>;
}

export async function startDocumentServer(): Promise<DocumentServer> {
  const databases = new Map<string, Database>();
  const sockets = new Set<Socket>();
  const commands: string[] = [];
  let misbehaviour: Misbehaviour | undefined;
  let greeting: BSON.Document = {};
  let accepted = 0;

  const answer = async (socket: Socket, message: Message): Promise<void> => {
    const [name = ''] = Object.keys(message.command);
    const isGreeting = /^(?:hello|ismaster)$/i.test(name);
    if (!isGreeting) commands.push(name);
    if (!isGreeting && misbehaviour !== undefined) {
      if (misbehaviour === 'drop') socket.destroy();
      else if (misbehaviour !== 'hang') socket.write(brokenReply(misbehaviour, message.id));
      return;
    }
    const answered = runCommand(databases, message.database, message.command);
    const reply = isGreeting ? { ...answered, ...greeting } : answered;
    socket.write(message.opcode === OP_QUERY ? legacyReply(message.id, reply) : modernReply(message.id, reply));
  };

  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= HEADER_BYTES && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        void answer(socket, readMessage(received.subarray(0, length)));
        received = received.subarray(length);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the document server has no port');
  const { port } = address;

  return {
    port,
    uri: (database) => `mongodb://127.0.0.1:${port}/${database}`,
    misbehave: (how) => {
      misbehaviour = how;
    },
    greetWith: (more) => {
      greeting = more;
    },
    commands,
    connections: () => sockets.size,
    accepted: () => accepted,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

interface Message {
  readonly id: number;
  readonly opcode: number;
  readonly database: string;
  readonly command: BSON.Document;
}

/** Keep BSON types, so that stored documents equal inserted ones. */
function readDocument(bytes: Buffer): BSON.Document {
  return BSON.deserialize(bytes, { promoteValues: false });
}

function readMessage(bytes: Buffer): Message {
  const id = bytes.readInt32LE(4);
  const opcode = bytes.readInt32LE(12);
  if (opcode === OP_QUERY) {
    const end = bytes.indexOf(0, HEADER_BYTES + 4);
    const [database = ''] = bytes.toString('utf8', HEADER_BYTES + 4, end).split('.');
    return { id, opcode, database, command: readDocument(bytes.subarray(end + 9)) };
  }
  let command: BSON.Document = {};
  for (let at = HEADER_BYTES + 4; at < bytes.length; ) {
    const kind = bytes.readUInt8(at);
    const length = bytes.readInt32LE(at + 1);
    const section = bytes.subarray(at + 1, at + 1 + length);
    if (kind === 0) command = { ...readDocument(section), ...command };
    else {
      // A document sequence, which belongs to the command under its name.
      const end = section.indexOf(0, 4);
      command[section.toString('utf8', 4, end)] = sequence(section.subarray(end + 1));
    }
    at += 1 + length;
  }
  return { id, opcode, database: String(command['$db']), command };
}

function sequence(bytes: Buffer): readonly BSON.Document[] {
  const documents = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
    documents.push(readDocument(bytes.subarray(at, at + bytes.readInt32LE(at))));
  }
  return documents;
}

function frame(opcode: number, answered: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(answered, 8);
  header.writeInt32LE(opcode, 12);
  return Buffer.concat([header, body]);
}

function modernReply(answered: number, reply: BSON.Document): Buffer {
  // Four bytes of flags, and a section of one document.
  return frame(OP_MSG, answered, Buffer.alloc(5), BSON.serialize(reply));
}

function brokenReply(how: BrokenReply, answered: number): Buffer {
  const flagsAndKind = Buffer.alloc(5);
  switch (how) {
    case 'text':
      return Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\nno such protocol here');
    case 'no length':
      return Buffer.alloc(64);
    case 'negative length':
      return frame(OP_MSG, answered, flagsAndKind, Buffer.alloc(64, 0xff));
    case 'huge length': {
      const reply = modernReply(answered, { ok: 1 });
      reply.writeInt32LE(2_147_483_647, 0);
      return reply;
    }
    case 'broken document': {
      const document = Buffer.alloc(64, 0x07);
      document.writeInt32LE(64, 0);
      return frame(OP_MSG, answered, flagsAndKind, document);
    }
    case 'deep document':
      return frame(OP_MSG, answered, flagsAndKind, deepReply(200_000));
  }
}

/** A batch with one deeply nested document. */
function deepReply(depth: number): Buffer {
  const open = Buffer.from([3, 0x61, 0]);
  const bytes = Buffer.alloc(5 + depth * 8);
  for (let level = 0, at = 0; level <= depth; level += 1) {
    bytes.writeInt32LE(5 + (depth - level) * 8, at);
    if (level < depth) open.copy(bytes, at + 4);
    at += 7;
  }
  const text = (name: string) => Buffer.from(`${name}\0`);
  const wrap = (kind: number, name: string, inner: Buffer) => Buffer.concat([Buffer.of(kind), text(name), inner]);
  const document = (...fields: readonly Buffer[]) => {
    const all = Buffer.concat([Buffer.alloc(4), ...fields, Buffer.of(0)]);
    all.writeInt32LE(all.length, 0);
    return all;
  };
  const batch = document(wrap(3, '0', bytes));
  const cursor = document(
    wrap(18, 'id', Buffer.alloc(8)),
    wrap(2, 'ns', Buffer.concat([Buffer.of(4, 0, 0, 0), text('x.y')])),
    wrap(4, 'firstBatch', batch),
  );
  const one = Buffer.alloc(8);
  one.writeDoubleLE(1);
  return document(wrap(3, 'cursor', cursor), wrap(1, 'ok', one));
}

function legacyReply(answered: number, reply: BSON.Document): Buffer {
  const fields = Buffer.alloc(20);
  fields.writeInt32LE(1, 16);
  return frame(OP_REPLY, answered, fields, BSON.serialize(reply));
}
