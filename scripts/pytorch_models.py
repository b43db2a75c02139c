"""The networks of mgbench in plain PyTorch, and the time of a training iteration of one of them.

Prints one line: model, batch, threads, and the median over iterations in milliseconds. Used by compare_pytorch and gpu-check.
"""

import argparse
import contextlib
import statistics
import time

import torch
from torch import nn
from torch.nn import functional


class AlexNet(nn.Module):
    """Krizhevsky et al., 2012: groups, local response normalization before pooling, 227x227."""

    size = 227

    def __init__(self, classes=1000):
        super().__init__()
        norm = lambda: nn.LocalResponseNorm(5, alpha=1e-4, beta=0.75, k=1.0)
        relu = lambda: nn.ReLU(inplace=True)
        self.features = nn.Sequential(
            nn.Conv2d(3, 96, 11, stride=4), relu(), norm(), nn.MaxPool2d(3, 2),
            nn.Conv2d(96, 256, 5, padding=2, groups=2), relu(), norm(), nn.MaxPool2d(3, 2),
            nn.Conv2d(256, 384, 3, padding=1), relu(),
            nn.Conv2d(384, 384, 3, padding=1, groups=2), relu(),
            nn.Conv2d(384, 256, 3, padding=1, groups=2), relu(), nn.MaxPool2d(3, 2))
        self.classifier = nn.Sequential(
            nn.Linear(9216, 4096), relu(), nn.Dropout(0.5),
            nn.Linear(4096, 4096), relu(), nn.Dropout(0.5),
            nn.Linear(4096, classes))

    def forward(self, images):
        return [(1.0, self.classifier(torch.flatten(self.features(images), 1)))]


class ConvRelu(nn.Sequential):
    def __init__(self, inputs, outputs, kernel, **options):
        super().__init__(nn.Conv2d(inputs, outputs, kernel, **options), nn.ReLU(inplace=True))


class Inception(nn.Module):
    def __init__(self, inputs, one, reduce_three, three, reduce_five, five, pool):
        super().__init__()
        self.one = ConvRelu(inputs, one, 1)
        self.three = nn.Sequential(ConvRelu(inputs, reduce_three, 1), ConvRelu(reduce_three, three, 3, padding=1))
        self.five = nn.Sequential(ConvRelu(inputs, reduce_five, 1), ConvRelu(reduce_five, five, 5, padding=2))
        self.pool = nn.Sequential(nn.MaxPool2d(3, 1, padding=1), ConvRelu(inputs, pool, 1))

    def forward(self, x):
        return torch.cat([self.one(x), self.three(x), self.five(x), self.pool(x)], 1)


class AuxiliaryHead(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.pool = nn.AvgPool2d(5, 3, ceil_mode=True)
        self.conv = ConvRelu(inputs, 128, 1)
        self.fc = nn.Sequential(nn.Linear(2048, 1024), nn.ReLU(inplace=True), nn.Dropout(0.7), nn.Linear(1024, classes))

    def forward(self, x):
        return self.fc(torch.flatten(self.conv(self.pool(x)), 1))


class GoogLeNet(nn.Module):
    """Szegedy et al., 2014, as Caffe trains it: both auxiliary heads, pooling in ceil mode."""

    size = 224

    def __init__(self, classes=1000):
        super().__init__()
        norm = lambda: nn.LocalResponseNorm(5, alpha=1e-4, beta=0.75, k=1.0)
        pool = lambda: nn.MaxPool2d(3, 2, ceil_mode=True)
        self.stem = nn.Sequential(
            ConvRelu(3, 64, 7, stride=2, padding=3), pool(), norm(),
            ConvRelu(64, 64, 1), ConvRelu(64, 192, 3, padding=1), norm(), pool(),
            Inception(192, 64, 96, 128, 16, 32, 32), Inception(256, 128, 128, 192, 32, 96, 64), pool(),
            Inception(480, 192, 96, 208, 16, 48, 64))
        self.aux1 = AuxiliaryHead(512, classes)
        self.middle = nn.Sequential(
            Inception(512, 160, 112, 224, 24, 64, 64), Inception(512, 128, 128, 256, 24, 64, 64),
            Inception(512, 112, 144, 288, 32, 64, 64))
        self.aux2 = AuxiliaryHead(528, classes)
        self.top = nn.Sequential(
            Inception(528, 256, 160, 320, 32, 128, 128), pool(),
            Inception(832, 256, 160, 320, 32, 128, 128), Inception(832, 384, 192, 384, 48, 128, 128),
            nn.AvgPool2d(7, 1))
        self.classifier = nn.Sequential(nn.Dropout(0.4), nn.Linear(1024, classes))

    def forward(self, images):
        low = self.stem(images)
        middle = self.middle(low)
        top = self.classifier(torch.flatten(self.top(middle), 1))
        return [(1.0, top), (0.3, self.aux1(low)), (0.3, self.aux2(middle))]


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.residual = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False), nn.BatchNorm2d(outputs))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.residual(x) + self.shortcut(x))


class ResNet50(nn.Module):
    """He et al., 2015, version 1.5: the stride sits in a block's 3x3 convolution."""

    size = 224

    def __init__(self, classes=1000):
        super().__init__()
        layers = [nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
                  nn.MaxPool2d(3, 2, padding=1)]
        inputs = 64
        for blocks, width, stride in ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2)):
            for block in range(blocks):
                layers.append(Bottleneck(inputs, width, stride if block == 0 else 1))
                inputs = 4 * width
        self.features = nn.Sequential(*layers, nn.AvgPool2d(7, 1))
        self.classifier = nn.Linear(2048, classes)

    def forward(self, images):
        return [(1.0, self.classifier(torch.flatten(self.features(images), 1)))]


MODELS = {"alexnet": AlexNet, "googlenet": GoogLeNet, "resnet50": ResNet50}


def times_on_cpu(iterate, iterations, clock):
    times = []
    for _ in range(iterations):
        begin = clock()
        iterate()
        times.append(clock() - begin)
    return times


def times_on_gpu(iterate, iterations):
    """By the device's own clock, between events of its stream."""
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(iterations + 1)]
    marks[0].record()
    for mark in marks[1:]:
        iterate()
        mark.record()
    torch.cuda.synchronize()
    return [1e-3 * begin.elapsed_time(end) for begin, end in zip(marks, marks[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=MODELS, default="resnet50")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--processor-time", action="store_true", help="the process's time, for a busy machine")
    parser.add_argument("--parameters", action="store_true", help="print how many parameters there are, and stop")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--precision", choices=("fp32", "tf32", "fp16", "bf16"), default="fp32",
                        help="of a GPU; halves by autocast, with FP32 parameters")
    arguments = parser.parse_args()
    if arguments.device == "cpu" and arguments.precision != "fp32":
        parser.error(f"--precision {arguments.precision} takes --device cuda")

    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = arguments.precision == "tf32"
    halves = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(arguments.precision)
    model = MODELS[arguments.model]().to(arguments.device, memory_format=torch.channels_last)
    if arguments.parameters:
        print(arguments.model, sum(parameter.numel() for parameter in model.parameters()))
        return
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
    images = torch.randn(arguments.batch, 3, model.size, model.size).to(
        arguments.device, memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (arguments.batch,)).to(arguments.device)

    def iterate():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(arguments.device, dtype=halves) if halves else contextlib.nullcontext():
            loss = sum(weight * functional.cross_entropy(scores, labels) for weight, scores in model(images))
        loss.backward()
        optimizer.step()

    for _ in range(arguments.warmup):
        iterate()
    if arguments.device == "cuda":
        times = times_on_gpu(iterate, arguments.iterations)
    else:
        times = times_on_cpu(iterate, arguments.iterations,
                             time.process_time if arguments.processor_time else time.perf_counter)
    print(f"model {arguments.model} batch {arguments.batch} threads {arguments.threads} "
          f"median_ms {1e3 * statistics.median(times):.3f}")


if __name__ == "__main__":
    main()
