/** A worker as its pool knows it: `ended` is told where it could not start, or died. */
export const workerThread = <To, From>(worker: Worker) => ({
  post: (message: To, transfer: Transferable[] = []) => worker.postMessage(message, transfer),
  listen: (heard: (message: From) => void, ended: () => void) => {
    worker.addEventListener("message", (event: MessageEvent<From>) => heard(event.data));
    worker.addEventListener("error", () => {
      worker.terminate();
      ended();
    });
  },
  end: () => worker.terminate(),
});
