# Reads a formula with the few words of Homebrew that it uses, for Linux on Intel installs it from the working directory
# into a prefix, and prints what the formula says as JSON.
require 'fileutils'
require 'json'

class Folder
  def initialize(path) = @path = path
  def to_s = @path
  def install(*files)
    FileUtils.mkdir_p(@path)
    FileUtils.cp(files.flatten, @path)
  end
end

class Formula
  class << self
    attr_reader :said
    def inherited(formula) = formula.instance_variable_set(:@said, { archives: {} })
    %i[desc homepage version license].each { |word| define_method(word) { |value| @said[word] = value } }
    def url(value) = @said[:archives]["#{@system}/#{@cpu}"] = [value]
    def sha256(value) = @said[:archives]["#{@system}/#{@cpu}"] << value
    def test; end
    %i[macos linux].each { |on| define_method("on_#{on}") { |&block| @system = on; block.call } }
    %i[intel arm].each { |on| define_method("on_#{on}") { |&block| @cpu = on; block.call } }
  end
  %i[bin man1 bash_completion zsh_completion fish_completion].each do |name|
    define_method(name) { Folder.new("#{PREFIX}/#{name}") }
  end
end

PREFIX = ARGV[1]
load ARGV[0]
Trailblaze.new.install
puts JSON.generate(Trailblaze.said)
