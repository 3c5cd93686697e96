import type { TaskType } from '../../engine/taskRows';
import { startTask } from '../../engine/tasks';
import type { TaskEffects, World } from '../../engine/world';
import { taskStart } from '../../http/taskStart';
import type { SiteRow } from '../sites/rows';
import type { UserRow } from './rows';

/** What is asked for on one site. */
export interface Order {
	core?: boolean;
	plugins?: 'all' | Array<{ slug: string }>;
	themes?: 'all' | Array<{ slug: string }>;
	user_id?: string;
	role?: UserRow['role'];
}

/** A change that a task makes, on each site that it completes. */
export interface Deed {
	operationId: string;
	type: TaskType;
	apply(world: World, site: SiteRow, order: Order): void;
}

/** @param orders by the id of the site */
export function begin(
	world: World,
	{ operationId, type }: Deed,
	orders: Array<Order & { id: string }>,
) {
	return taskStart(
		startTask(world, {
			type,
			siteIds: orders.map(({ id }) => id),
			input: { sites: orders },
			payload: { operation: operationId, orders },
		}),
	);
}

export const effectsOf = (deeds: Deed[]): TaskEffects =>
	Object.fromEntries(
		deeds.map(({ type }): [TaskType, TaskEffects[TaskType]] => [
			type,
			(world, { details, internal: { payload } }) => {
				const deed = deeds.find(({ operationId }) => operationId === payload.operation);
				const orders = (payload.orders ?? []) as Array<Order & { id: string }>;
				for (const { id, status } of deed ? details.sites : []) {
					const site = world.store.sites.get(id);
					const order = orders.find((each) => each.id === id);
					if (site && order && status === 'completed') deed!.apply(world, site, order);
				}
			},
		]),
	);
