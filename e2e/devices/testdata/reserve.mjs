// Calls the tool device: its arguments in each line of the input, the messages of the call in lines of the output.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { TrailblazeClient, TrailblazeError } from '@trailblaze/client';

const tb = new TrailblazeClient();
for await (const line of createInterface({ input: process.stdin })) {
  try {
    for await (const m of tb.tools.watchTool({ name: 'device', args: JSON.parse(line) })) console.log(JSON.stringify(m));
  } catch (error) {
    if (!(error instanceof TrailblazeError)) throw error;
    console.log(JSON.stringify({ failure: { kind: error.kind, message: error.failure.message, hint: error.hint } }));
  }
}
