// Calls tools for the parity suite: a call in each line of the input, what the SDK gives in each line of the output.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { TrailblazeClient, TrailblazeError } from '@trailblaze/client';

const tb = new TrailblazeClient({ device: 'web/typescript', workspace: process.cwd(), secrets: JSON.parse(process.argv[2]) });
for await (const line of createInterface({ input: process.stdin })) {
  const { tool, args } = JSON.parse(line);
  let said;
  try {
    said = { value: await tb.callTool(tool, args) };
  } catch (error) {
    if (!(error instanceof TrailblazeError)) throw error;
    said = { failed: true, kind: error.kind, message: error.failure.message, hint: error.hint };
  }
  console.log(JSON.stringify(said));
}
