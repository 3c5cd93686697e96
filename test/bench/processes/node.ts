import { runNode, type Access, type NodeRun } from '../../support/engine';

/** A process of its own with n8n's engine: runs a node for each message, tells what came out. */
process.on('message', async ({ access, run }: { access: Access; run: NodeRun }) => {
	const { items, error } = await runNode(access, run);
	process.send!({ items: items.length, error: error?.message });
});
process.once('disconnect', () => process.exit());
