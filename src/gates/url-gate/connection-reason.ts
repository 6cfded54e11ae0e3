/** Why a connection failed, in words that tell a client nothing about the network it was made in. */

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'its host refuses the connection',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ETIMEDOUT: 'its host does not answer',
  ECONNRESET: 'the connection broke off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke off',
  HPE_HEADER_OVERFLOW: 'it answered with too many headers',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
};

/** Undefined for an error that is no failure of a connection, but a fault of ours. */
export function connectionReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') {
    return undefined;
  }
  const { code } = error;
  const known = reasons[code];
  if (known !== undefined) {
    return known;
  }
  if (code.startsWith('HPE_')) {
    return 'it did not answer in valid HTTP';
  }
  return /^(?:E[A-Z]+|EPROTO|ERR_(?:SSL|TLS)_\w+|[A-Z_]*CERT[A-Z_]*)$/.test(code) ? 'the connection failed' : undefined;
}
