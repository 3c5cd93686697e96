import { Timeline } from '../../../sandbox/service/engine/timeline';

describe('the timeline', () => {
	const scheduled = (...times: Array<[number, string]>) => {
		const timeline = new Timeline();
		for (const [at, kind] of times) timeline.schedule({ at, kind, payload: {} });
		return timeline;
	};
	const due = (timeline: Timeline, time: number) => {
		const kinds: string[] = [];
		for (let event = timeline.takeDue(time); event; event = timeline.takeDue(time)) {
			kinds.push(event.kind);
		}
		return kinds;
	};

	it('gives out due events by time, whatever the order of scheduling', () => {
		const timeline = scheduled([3, 'c'], [1, 'a'], [2, 'b']);
		expect(due(timeline, 2)).toEqual(['a', 'b']);
		expect(due(timeline, 3)).toEqual(['c']);
	});

	it('keeps the order of scheduling for events of the same time', () => {
		expect(due(scheduled([1, 'a'], [2, 'x'], [1, 'b'], [1, 'c']), 1)).toEqual(['a', 'b', 'c']);
	});
});
