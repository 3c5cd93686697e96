import { playStrangers } from '../agents/played';
import { PINNED, versionsNamed } from '../support/versions';

/** As test/e2e/strangers.test.ts, with the MCP server of an older n8n. */

const older = versionsNamed(process.env.COMPAT_ONLY).filter((version) => version !== PINNED);
describe.each(older)('n8n $version', (version) => playStrangers(version));
