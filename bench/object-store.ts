/** An S3-compatible store (s3rver) on the port and in the directory of the arguments, for measurements. */
import S3rver from 's3rver';

const [port, directory] = process.argv.slice(2);
if (port === undefined || directory === undefined) throw new Error('Expected a port and a directory.');
await new S3rver({
  ...{ port: Number(port), address: '127.0.0.1', silent: true, directory },
  configureBuckets: [{ name: 'maps' }],
}).run();
