/**
 * Validates responses of a document database before the driver parses them. The driver trusts the declared lengths: a
 * length of zero or less makes it loop until memory is exhausted.
 */
import { createRequire } from 'node:module';
import type { Duplex, Transform } from 'node:stream';
import { MongoParseError } from 'mongodb';

/** The maximum message size of servers, plus the overhead of the largest document. */
const MAX_MESSAGE_BYTES = 48_000_000 + 65_536;

const HEADER_BYTES = 16;
/** The part of a message with its lengths: the flags, the kind and the size of its only section. */
const MODERN_HEAD_BYTES = HEADER_BYTES + 9;
/** The reply to the initial handshake: flags, cursor, start and number of documents. */
const LEGACY_HEAD_BYTES = HEADER_BYTES + 20;

const OP_REPLY = 1;
const OP_MSG = 2013;

export interface WireGuard {
  /** Whether the bytes, together with all previous ones, are valid protocol messages. */
  accepts(bytes: Uint8Array): boolean;
}

export function createWireGuard(): WireGuard {
  let head = Buffer.alloc(0);
  /** The remaining bytes of the current message. */
  let left = 0;

  const computeHeadLength = (): number => {
    if (head.length < HEADER_BYTES) return HEADER_BYTES;
    return head.readInt32LE(12) === OP_REPLY ? LEGACY_HEAD_BYTES : MODERN_HEAD_BYTES;
  };
  const isPossible = (): boolean => {
    const length = head.readInt32LE(0);
    const opcode = head.readInt32LE(12);
    if (length > MAX_MESSAGE_BYTES || length < computeHeadLength()) return false;
    if (head.length < computeHeadLength()) return opcode === OP_REPLY || opcode === OP_MSG;
    if (opcode === OP_REPLY) return head.readInt32LE(32) === 1;
    // One section with one document, followed by nothing or a checksum.
    const behind = length - MODERN_HEAD_BYTES + 4 - head.readInt32LE(21);
    return opcode === OP_MSG && head.readUInt8(20) === 0 && (behind === 0 || behind === 4);
  };

  return {
    accepts: (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        if (left > 0) {
          const passed = Math.min(left, bytes.length - at);
          left -= passed;
          at += passed;
          continue;
        }
        const taken = bytes.subarray(at, at + computeHeadLength() - head.length);
        head = Buffer.concat([head, taken]);
        at += taken.length;
        if (head.length < HEADER_BYTES) return true;
        if (!isPossible()) return false;
        if (head.length < computeHeadLength()) continue;
        left = head.readInt32LE(0) - head.length;
        head = Buffer.alloc(0);
      }
      return true;
    },
  };
}

/** The required part of the driver's connection class, which is not public. */
type DriverConnection = new (
  stream: Duplex,
  options: object,
) => { readonly messageStream: Transform; command(...parts: readonly unknown[]): Promise<unknown> };

/**
 * Creates a guarded connection class for the `connectionType` option of a client. `hosts` lists the allowed hosts as
 * `name:port` in lower case: hosts that a server reports were not chosen by the author of the URI.
 */
export function createGuardedConnection(hosts: readonly string[]): DriverConnection {
  const { Connection }: { Connection: DriverConnection } = createRequire(import.meta.url)(
    'mongodb/lib/cmap/connection.js',
  );
  return class GuardedConnection extends Connection {
    constructor(stream: Duplex, options: object) {
      super(stream, options);
      const guard = createWireGuard();
      const { messageStream } = this;
      const read = messageStream._transform.bind(messageStream);
      messageStream._transform = (chunk: Uint8Array, encoding, callback) => {
        if (guard.accepts(chunk)) read(chunk, encoding, callback);
        else callback(new MongoParseError('Invalid message: inconsistent lengths.'));
      };
    }

    override async command(...parts: readonly unknown[]): Promise<unknown> {
      return restrictHosts(await super.command(...parts), hosts);
    }
  };
}

/** Replaces the members in a server's handshake with the allowed hosts. */
function restrictHosts(reply: unknown, hosts: readonly string[]): unknown {
  if (typeof reply !== 'object' || reply === null) return reply;
  if (!['hosts', 'passives', 'arbiters', 'me', 'primary'].some((name) => Object.hasOwn(reply, name))) return reply;
  return { ...reply, hosts, passives: [], arbiters: [], me: undefined, primary: undefined };
}
