import { runNode, type Access, type NodeRun } from '../../support/engine';

/** A process of its own with n8n's engine: runs a node for each message, tells what came out. */
async function work({ access, run }: { access: Access; run: NodeRun }): Promise<void> {
	const { items, error } = await runNode(access, run);
	process.send!({ items: items.length, error: error?.message });
}

process.on('message', (given: { access: Access; run: NodeRun }) => void work(given));
process.once('disconnect', () => process.exit());
